import { usePlace } from '../../shell/place.ts'
import { PageTabs } from '../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../ui/links/links.tsx'

interface CommerceTabsProps {
  /** The tab that is open on a page that is not its first one. */
  open?: 'recommendations'
}

/** What belongs to a shop, and the work in the background. */
export function CommerceTabs({ open }: CommerceTabsProps) {
  const { params } = usePlace()
  return (
    <PageTabs label="Commerce">
      <TextLink to="/$org/$project/commerce" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        Products
      </TextLink>
      <TextLink to="/$org/$project/commerce/sources" params={params}>
        Sources
      </TextLink>
      <TextLink to="/$org/$project/commerce/orders" params={params}>
        Orders
      </TextLink>
      <TextLink
        to="/$org/$project/commerce/placements"
        params={params}
        {...(open === 'recommendations' && { 'aria-current': 'page' })}
      >
        Recommendations
      </TextLink>
      <TextLink to="/$org/$project/commerce/datasets" params={params}>
        Datasets
      </TextLink>
      <TextLink to="/$org/$project/commerce/jobs" params={params}>
        Jobs
      </TextLink>
      <TextLink to="/$org/$project/commerce/catalog" params={params}>
        Settings
      </TextLink>
    </PageTabs>
  )
}
