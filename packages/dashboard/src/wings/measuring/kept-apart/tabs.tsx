import { usePlace } from '../../../shell/place.ts'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'

/** Experiments, and the two ways to keep their visitors apart. */
export function KeptApartTabs() {
  const { params } = usePlace()
  return (
    <PageTabs label="Experiments">
      <TextLink to="/$org/$project/experiments" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        Experiments
      </TextLink>
      <TextLink to="/$org/$project/exclusion-groups" params={params}>
        Exclusion groups
      </TextLink>
      <TextLink to="/$org/$project/holdouts" params={params}>
        Holdouts
      </TextLink>
    </PageTabs>
  )
}
