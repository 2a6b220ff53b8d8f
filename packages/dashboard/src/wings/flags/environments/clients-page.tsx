import type { Data } from '@svc/client'
import { IconPlugConnected } from '@tabler/icons-react'
import { byCursor, server } from '../../../api.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ToConnect } from '../../../shell/subject.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { statusOf } from '../../../ui/status/status-words.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { hostOf } from '../connect/seen-pages.ts'
import { EnvironmentFrame } from './environment-page.tsx'

type Client = Data<'/api/v1/projects/{projectId}/environments/{envId}/clients', 'get'>[number]

/** The programs and pages that follow an environment: those behind come first. */
export function ClientsPage() {
  return <EnvironmentFrame tab="Clients">{(environment) => <Clients environment={environment} />}</EnvironmentFrame>
}

const readMs = 10_000

function Clients({ environment: { id, key, name } }: { environment: Environment }) {
  const { project } = usePlace()
  const query = server.useInfiniteQuery(
    'get',
    '/api/v1/projects/{projectId}/environments/{envId}/clients',
    { params: { path: { projectId: project.id, envId: id }, query: { limit: 50 } } },
    { ...byCursor, refetchInterval: readMs },
  )
  return (
    <Loaded query={query} like="table">
      {({ pages }) =>
        pages[0]?.data.length === 0 ? (
          <EmptyState
            icon={<IconPlugConnected size={36} />}
            title="No client in the last day"
            action={<ToConnect env={key} place={name} isMain />}
          >
            A program or page appears here with its first heartbeat.
          </EmptyState>
        ) : (
          <>
            <DataTable
              caption={`Clients of ${name}`}
              rows={pages.flatMap(({ data }) => data)}
              keyOf={({ instanceId, sdkType, sdkVersion }) => instanceId ?? `${sdkType} ${sdkVersion}`}
              columns={columns}
            />
            <MoreButton query={query} />
          </>
        )
      }
    </Loaded>
  )
}

const states = { BEHIND: 'BEHIND', SILENT: 'SILENT', UNKNOWN: 'UNTOLD', UP_TO_DATE: 'CURRENT' } as const

/** A page is known by its host: "shop.example, script 1.4.0". */
const clientWords = ({ instanceId, sdkType, sdkVersion }: Client): string => {
  const host = hostOf({ instanceId, sdkType })
  return host === undefined ? `${sdkType}, SDK ${sdkVersion}` : `${host}, script ${sdkVersion}`
}

const columns: Column<Client>[] = [
  { title: 'Client', cell: clientWords },
  {
    title: 'State',
    cell: ({ state }) => {
      const { tone, words } = statusOf('client', states[state])
      return <StatusDot tone={tone}>{words}</StatusDot>
    },
  },
  {
    title: 'Revision',
    cell: ({ revision, revisionsBehind }) =>
      revision === null ? 'Unknown' : `${revision}${revisionsBehind ? `, ${revisionsBehind} behind` : ''}`,
  },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Time time={lastSeenAt} /> },
]
