import { Code, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { IconRss } from '@tabler/icons-react'
import { server } from '../../../api.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CommandLine } from '../../../ui/code/command-line.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { GuideButton } from '../guide-button.tsx'
import { CommerceTabs } from '../tabs.tsx'

const path = '/api/v1/projects/{projectId}/catalog/sources'
const icon = <IconRss size={36} />

type Source = Data<`${typeof path}/{sourceId}`, 'get'>

const brings: Record<Source['type'], string> = {
  PRODUCTS: 'Products',
  SUPPLEMENT: 'Some fields of products',
  ORDERS: 'Orders',
}

const columns: Column<Source>[] = [
  {
    title: 'Source',
    cell: ({ name, key }) => (
      <>
        {name}
        <Text size="xs" c="dimmed">
          <Code>{key}</Code>
        </Text>
      </>
    ),
  },
  { title: 'Brings', cell: ({ type }) => brings[type] },
  { title: 'From', cell: ({ url }) => (url === null ? 'Uploads' : new URL(url).host) },
  { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
]

/** Where the products of a project come from. A project has up to 20, so the list is read whole. */
export function SourcesPage() {
  const { project } = usePlace()
  const mayEdit = useMay('catalog:write')
  const query = server.useQuery('get', path, {
    params: { path: { projectId: project.id }, query: { limit: 100 } },
  })
  return (
    <Page
      title="Catalog sources"
      description="Where the products of your shop come from, and how their files are read."
    >
      <CommerceTabs />
      {!mayEdit && <OnlyFor>You can look at catalog sources. People who manage integrations can change them.</OnlyFor>}
      <Loaded query={query} like="table">
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={icon} title="No catalog sources yet" action={<GuideButton page="catalog-sources" />}>
              A source is a product feed of your shop: its address, its format, and when a broken one is held back.
              {mayEdit && (
                <CommandLine command='svc source create --name "Main feed" --type PRODUCTS --url https://shop.example/feed.xml' />
              )}
            </EmptyState>
          ) : (
            <DataTable caption="Catalog sources" rows={data} keyOf={({ id }) => id} columns={columns} />
          )
        }
      </Loaded>
    </Page>
  )
}
