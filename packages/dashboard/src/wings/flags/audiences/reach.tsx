import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { Audience } from './audience.ts'
import { reachInWords } from './reach-words.ts'

const path = '/api/v1/projects/{projectId}/audiences/{audienceId}/envs/{envId}/reach'

/** How many of the visitors that each environment has seen lately are in the audience. */
export function AudienceReach({ audience }: { audience: Audience }) {
  const { environments } = usePlace()
  return (
    <Section
      title="Visitors seen lately"
      description="An estimate from a sample of at most 1,000 visitors of the last 7 days: those whom a test exposed, and those whom OFREP evaluated. It judges the conditions as they are edited."
    >
      <DataTable
        caption="Visitors seen lately"
        rows={environments}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Environment', cell: ({ name }) => name },
          { title: 'In the audience', cell: (environment) => <InEnvironment {...{ audience, environment }} /> },
        ]}
      />
    </Section>
  )
}

function InEnvironment({ audience, environment }: { audience: Audience; environment: Environment }) {
  const { project } = usePlace()
  const params = { path: { projectId: project.id, audienceId: audience.id, envId: environment.id } }
  const query = useQuery({
    // With the conditions, so that an edit reads it again.
    queryKey: ['get', path, { params }, audience.updatedAt],
    queryFn: async ({ signal }) => (await api.GET(path, { params, signal })).data!.data,
  })
  return (
    <Loaded query={query} lines={1}>
      {(reach) => {
        const [answer, ...details] = reachInWords(reach)
        return (
          <>
            <Text size="sm">{answer}</Text>
            {details.map((each) => (
              <Text key={each} size="xs" c="dimmed">
                {each}
              </Text>
            ))}
          </>
        )
      }}
    </Loaded>
  )
}
