import { IconBell, IconPlus } from '@tabler/icons-react'
import { server } from '../../../api.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ButtonLink, TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { Page } from '../../../ui/page.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Time, useNow } from '../../../ui/time.tsx'
import { eventsInWords } from '../deliveries/events.ts'
import { type Destination, listPath } from './destination-path.ts'
import { stateOf } from './destination-state.ts'
import { rowOf } from './kinds.ts'

const description = 'Each destination tells people of events of this project: in a chat, a ticket or an alarm.'

/** The destinations of the project, besides webhooks. */
export function DestinationsPage() {
  return useMay('integrations:read') ? (
    <Destinations />
  ) : (
    <Page title="Destinations" description={description}>
      <OnlyFor>
        Your role does not include reading destinations. The permission that opens this page is “integrations:read”.
      </OnlyFor>
    </Page>
  )
}

function Destinations() {
  const { project, params } = usePlace()
  const mayEdit = useMay('integrations:write')
  const now = useNow()
  const query = server.useInfiniteQuery(
    'get',
    listPath,
    { params: { path: { projectId: project.id }, query: { limit: 100 } } },
    { initialPageParam: null, getNextPageParam: ({ page }) => page.nextCursor },
  )
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const create = mayEdit && (
    <ButtonLink
      to="/$org/$project/integrations/destinations/new"
      params={params}
      search={{}}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Create destination
    </ButtonLink>
  )
  const columns: Column<Destination>[] = [
    {
      title: 'Name',
      cell: ({ id, name, kind }) => (
        <div>
          <TextLink to="/$org/$project/integrations/destinations/$destination" params={{ ...params, destination: id }}>
            {name}
          </TextLink>
          <div>{rowOf(kind).label}</div>
        </div>
      ),
    },
    {
      title: 'Health',
      cell: (destination) => {
        const { tone, words } = stateOf(destination, now)
        return <StatusBadge tone={tone}>{words}</StatusBadge>
      },
    },
    { title: 'Events', cell: ({ events }) => eventsInWords(events) },
    { title: 'Created', cell: ({ createdAt }) => <Time time={createdAt} /> },
  ]
  return (
    <Page title="Destinations" description={description} actions={isEmpty === false && create}>
      {!mayEdit && <OnlyFor>You can look at destinations and deliveries. Admins can change them.</OnlyFor>}
      <Loaded query={query} like="table">
        {({ pages }) =>
          isEmpty ? (
            <EmptyState icon={<IconBell size={36} />} title="No destinations yet" action={create}>
              Hear in Slack, Teams, Discord or Google Chat what is published, get one ticket for a problem in Jira,
              Linear or GitHub, and one alarm in PagerDuty when a test goes wrong.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Destinations"
                rows={pages.flatMap(({ data }) => data)}
                keyOf={({ id }) => id}
                columns={columns}
              />
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
