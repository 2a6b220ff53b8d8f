import { IconSparkles } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { containing } from '../../../ui/table/containing.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { NameCell } from '../name-cell.tsx'
import { useWholeList } from '../use-whole-list.ts'
import { type Placement, placementsPath } from './placement.ts'
import { defaultVariant, strategiesInWords, variantNames } from './placement-words.ts'
import { RecommendationTabs } from './recommendation-tabs.tsx'

const NewPlacement = lazy(async () => ({ default: (await import('./new-placement.tsx')).NewPlacement }))

/** Where the shop shows recommendations. A project has up to 100, so the list is read whole. */
export function PlacementsPage() {
  const { params } = usePlace()
  const mayEdit = useMay('recommendations:write')
  const query = useWholeList(placementsPath)
  const columns: Column<Placement>[] = [
    {
      title: 'Placement',
      cell: ({ name, key }) => (
        <NameCell
          apiKey={key}
          link={
            <TextLink
              to="/$org/$project/commerce/placements/$placement"
              params={{ ...params, placement: key }}
              underline="hover"
            >
              {name}
            </TextLink>
          }
        />
      ),
    },
    { title: 'Shows', cell: ({ variants }) => strategiesInWords(variants[defaultVariant]!) },
    { title: 'At most', cell: ({ limit }) => limit.toLocaleString('en') },
    { title: 'Variants', cell: (placement) => allOf(variantNames(placement), 3) },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <ListPage
      noun="placement"
      description="Places of your shop that show products, and how the list of each one is made."
      Icon={IconSparkles}
      above={<RecommendationTabs />}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at placements and preview them. People who manage integrations can change them."
      empty="A placement is a place that shows products: beside a product, in the cart, on the home page. Your pages ask for its list by its key."
      command='svc placement create --name "Product page" --strategy BOUGHT_TOGETHER --strategy POPULAR'
      filter={{ in: 'name or key', matching }}
      panel={(name, close) =>
        name === 'create' && (
          <Suspense fallback={null}>
            <NewPlacement onClose={close} />
          </Suspense>
        )
      }
    >
      {(rows) => <DataTable caption="Placements" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}

const matching = (rows: readonly Placement[], text: string): Placement[] =>
  containing(rows, text, ({ name, key }) => [name, key])
