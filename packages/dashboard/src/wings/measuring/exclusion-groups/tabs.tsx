import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links.tsx'
import { PageTabs } from '../../../ui/page-tabs.tsx'

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
