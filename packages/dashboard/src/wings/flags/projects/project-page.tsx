import { Alert, Anchor, Stack, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { IconInfoCircle } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { server } from '../../../api.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { EnvironmentName } from './environment-name.tsx'

type Environment = Data<'/api/v1/projects/{projectId}/environments', 'get'>[number]

/** What a project holds so far in the dashboard: its environments, and how SDKs reach them. */
export function ProjectPage() {
  const params = { path: useParams({ from: '/inside/projects/$projectId' }) }
  const project = server.useQuery('get', '/api/v1/projects/{projectId}', { params })
  const environments = server.useQuery('get', '/api/v1/projects/{projectId}/environments', { params })
  return (
    <Page title={project.data?.data.name ?? 'Project'} description="Environments, and how SDKs reach them.">
      <Loaded query={project}>
        {() => (
          <>
            <Alert variant="outline" icon={<IconInfoCircle aria-hidden />} title="Flags are edited through the API">
              <Text size="sm">
                This dashboard does not show flags yet. The <Anchor href="/docs/api-reference">API reference</Anchor>{' '}
                tells how to create, target and switch them.
              </Text>
            </Alert>
            <Loaded query={environments}>
              {({ data }) =>
                data.map((environment) => <EnvironmentSection key={environment.id} environment={environment} />)
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function EnvironmentSection({ environment }: { environment: Environment }) {
  const { name, color, sdkKey, dataFile, connected, lastHeartbeatAt, hasStagedChanges } = environment
  return (
    <Section
      title={<EnvironmentName name={name} color={color} />}
      actions={
        <>
          {hasStagedChanges && <StatusBadge tone="note">Staged changes</StatusBadge>}
          {connected ? (
            <StatusBadge tone="good">SDK connected</StatusBadge>
          ) : (
            <StatusBadge tone="note">No SDK yet</StatusBadge>
          )}
        </>
      }
    >
      <Stack gap="sm">
        <CopyField label="SDK key" value={sdkKey} description="Public: it names this environment to SDKs." />
        <CopyField label="Data file" value={dataFile.url} />
        <Text size="sm" c="dimmed">
          {dataFile.publishedAt === null ? (
            'Nothing is published yet.'
          ) : (
            <>
              Revision {dataFile.revision}, published <RelativeTime time={dataFile.publishedAt} />.
            </>
          )}{' '}
          {lastHeartbeatAt !== null && (
            <>
              Last heard of an SDK <RelativeTime time={lastHeartbeatAt} />.
            </>
          )}
        </Text>
      </Stack>
    </Section>
  )
}
