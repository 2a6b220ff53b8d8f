import { Group, Text } from '@mantine/core'
import { server } from '../../../api.ts'
import { EnvironmentName } from '../environments/environment-name.tsx'

/** A project's environments, by name. */
export function EnvironmentNames({ projectId }: { projectId: string }) {
  const params = { path: { projectId } }
  const { data, isError } = server.useQuery('get', '/api/v1/projects/{projectId}/environments', { params })
  if (isError) return <Text size="sm">Could not be loaded</Text>
  return (
    <Group gap="0.25rem 0.75rem">
      {data?.data.map((environment) => (
        <EnvironmentName key={environment.id} name={environment.name} color={environment.color} />
      ))}
    </Group>
  )
}
