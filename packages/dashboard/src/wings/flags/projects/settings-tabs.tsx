import { usePlace } from '../../../shell/place.ts'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'

/** The settings of a web project are on two pages. */
export function SettingsTabs() {
  const { project, params } = usePlace()
  if (project.type !== 'WEB') return null
  return (
    <PageTabs label="Settings">
      <TextLink to="/$org/$project/settings" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        Project
      </TextLink>
      <TextLink to="/$org/$project/settings/site" params={params}>
        Site
      </TextLink>
    </PageTabs>
  )
}
