import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, byCursor, server } from '../../../api.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Figures } from '../../../ui/layout/facts.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { type Versioned, versioned } from '../../../versioned.ts'
import { catalogPath } from '../products/product.ts'
import { CommerceTabs } from '../tabs.tsx'
import { type Catalog, trusts } from './catalog-form.ts'
import { CatalogSettings } from './catalog-settings.tsx'
import { type Revision, revisionsPath } from './revision.ts'

const readCatalog = async (projectId: string): Promise<Versioned<Catalog>> =>
  versioned(await api.GET(catalogPath, { params: { path: { projectId } } }))

/** What the catalog contains, its money, which orders count, and its revisions. */
export function CatalogPage() {
  const { project } = usePlace()
  const mayEdit = useMay('catalog:write')
  const query = useQuery({
    queryKey: ['get', catalogPath, 'to edit', project.id],
    queryFn: () => readCatalog(project.id),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Page title="Catalog" description="How much it contains, in which currency you report, and which orders count.">
      <CommerceTabs />
      {!mayEdit && <OnlyFor>You can look at the catalog. People who manage integrations can change it.</OnlyFor>}
      <Loaded query={query}>
        {(version) => (
          <>
            <Contents catalog={version.content} />
            {mayEdit ? (
              <CatalogSettings version={version} read={() => readCatalog(project.id)} />
            ) : (
              <SettingsInWords catalog={version.content} />
            )}
          </>
        )}
      </Loaded>
      <Revisions />
    </Page>
  )
}

function Contents({ catalog: { counts, revision } }: { catalog: Catalog }) {
  const figures = [
    ['Products', counts.products],
    ['Items', counts.items],
    ['Revision', revision],
  ] as const
  return (
    <Section
      title="What it contains"
      description="A product has an item for each variant that can be bought. The revision grows by one with each change."
    >
      <Figures figures={figures} />
    </Section>
  )
}

function SettingsInWords({ catalog: { currency, rates, orders } }: { catalog: Catalog }) {
  const all = Object.entries(rates)
  return (
    <Section title="Money and orders">
      <Text size="sm">{currency === null ? 'No reporting currency yet.' : `Reported in ${currency}.`}</Text>
      {all.map(([other, rate]) => (
        <Text size="sm" key={other}>
          1 {other} counts as {rate} {currency}.
        </Text>
      ))}
      <Text size="sm">Orders that count: {trusts[orders.trust].label.toLowerCase()}.</Text>
    </Section>
  )
}

const columns: Column<Revision>[] = [
  { title: 'Revision', cell: ({ revision }) => revision.toLocaleString('en') },
  {
    title: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <>
        <Time time={createdAt} />{' '}
        <Text component="span" size="xs" c="dimmed">{`by ${createdBy.name ?? 'the service'}`}</Text>
      </>
    ),
  },
  { title: 'Added', cell: ({ added }) => added.toLocaleString('en') },
  { title: 'Changed', cell: ({ changed }) => changed.toLocaleString('en') },
  { title: 'Removed', cell: ({ removed }) => removed.toLocaleString('en') },
  { title: 'Items then', cell: ({ counts }) => counts.items.toLocaleString('en') },
  { title: 'From', cell: ({ jobId }) => <MadeBy jobId={jobId} /> },
]

function MadeBy({ jobId }: { jobId: string | null }) {
  const { params } = usePlace()
  if (jobId === null) return 'The API'
  return (
    <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: jobId }}>
      A job
    </TextLink>
  )
}

/** The newest revisions. Nothing before the first. */
function Revisions() {
  const { project } = usePlace()
  const query = server.useInfiniteQuery(
    'get',
    revisionsPath,
    { params: { path: { projectId: project.id }, query: { limit: 10 } } },
    byCursor,
  )
  if (query.data?.pages[0]?.data.length === 0) return null
  return (
    <Section title="Revisions" description="Those of the last 7 days, and the newest 10.">
      <Loaded query={query} like="table">
        {({ pages }) => (
          <Stack gap="md">
            <DataTable
              caption="Revisions"
              rows={pages.flatMap(({ data }) => data)}
              keyOf={({ revision }) => String(revision)}
              columns={columns}
            />
            <MoreButton query={query} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
