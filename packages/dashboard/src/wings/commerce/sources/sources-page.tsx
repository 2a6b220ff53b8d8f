import { IconRss } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { containing } from '../../../ui/table/containing.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { NameCell } from '../name-cell.tsx'
import { scheduleInWords } from '../schedules/schedule-words.ts'
import { CommerceTabs } from '../tabs.tsx'
import { useWholeList } from '../use-whole-list.ts'
import { type Source, sourcesPath } from './source.ts'
import { brings, fromWhere } from './source-words.ts'

const NewSource = lazy(async () => ({ default: (await import('./new-source.tsx')).NewSource }))

/** Where the products and orders of a project come from. A project has up to 20, so the list is read whole. */
export function SourcesPage() {
  const { params } = usePlace()
  const mayEdit = useMay('catalog:write')
  const query = useWholeList(sourcesPath)
  const columns: Column<Source>[] = [
    {
      title: 'Source',
      cell: ({ name, key }) => (
        <NameCell
          apiKey={key}
          link={
            <TextLink
              to="/$org/$project/commerce/sources/$catalog_source"
              params={{ ...params, catalog_source: key }}
              underline="hover"
            >
              {name}
            </TextLink>
          }
        />
      ),
    },
    { title: 'Contains', cell: ({ type }) => brings[type] },
    { title: 'From', cell: ({ url }) => fromWhere(url) },
    { title: 'Runs', cell: ({ schedule, url }) => (url === null ? 'When a file is sent' : scheduleInWords(schedule)) },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <ListPage
      noun="catalog source"
      description="Where products, costs and orders of your shop come from, and how their files are read."
      Icon={IconRss}
      above={<CommerceTabs />}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at catalog sources. People who manage integrations can change them."
      empty="A source is a file of your shop: a product feed, costs and stock, or orders. It says where the file is, how its rows are read, when it is fetched, and when a broken one is held back."
      command='svc source create --name "Main feed" --type PRODUCTS --url https://shop.example/feed.xml'
      filter={{ in: 'name, key or address', matching }}
      panel={(name, close) =>
        name === 'create' && (
          <Suspense fallback={null}>
            <NewSource onClose={close} />
          </Suspense>
        )
      }
    >
      {(rows) => <DataTable caption="Catalog sources" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}

const matching = (rows: readonly Source[], text: string): Source[] =>
  containing(rows, text, ({ name, key, url }) => [name, key, url])
