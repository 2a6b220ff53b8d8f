import { usePlace } from '../../../shell/place.ts'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { CommerceTabs } from '../tabs.tsx'

/** Where recommendations are shown, and what they come from. */
export function RecommendationTabs() {
  const { params } = usePlace()
  return (
    <>
      <CommerceTabs open="recommendations" />
      <PageTabs label="Recommendations">
        <TextLink to="/$org/$project/commerce/placements" params={params}>
          Placements
        </TextLink>
        <TextLink to="/$org/$project/commerce/models" params={params}>
          Models
        </TextLink>
      </PageTabs>
    </>
  )
}
