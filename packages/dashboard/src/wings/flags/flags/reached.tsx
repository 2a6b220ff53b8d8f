import { Text } from '@mantine/core'
import { server } from '../../../api.ts'
import { useMay } from '../../../shell/session.ts'
import { propagationState } from '../../../ui/status/propagation-words.ts'
import { Spread } from '../switches/spread.tsx'
import { useTargeting } from './targeting-place.ts'

const propagationPath = '/api/v1/projects/{projectId}/environments/{envId}/propagation'
const readAgainMs = 15_000

/** How many clients have what is live now: the answer to "have they got it?" before anybody switches. */
export function Reached() {
  const { flag, environment, inEnvironment } = useTargeting()
  const path = { projectId: flag.projectId, envId: environment.id }
  const params = { path, query: { revision: inEnvironment.revision } }
  const { data } = server.useQuery(
    'get',
    propagationPath,
    { params },
    {
      enabled: useMay('projects:read'),
      refetchInterval: readAgainMs,
    },
  )
  if (!data) return null
  const { publishedAt } = data.data
  const sinceMs = publishedAt === null ? 0 : Date.now() - Date.parse(publishedAt)
  const state = propagationState(data.data, sinceMs, environment.name)
  return state.kind === 'nobody' ? (
    <Text size="sm" c="dimmed">
      No client is connected
    </Text>
  ) : (
    <Spread state={state} environment={environment.key} />
  )
}
