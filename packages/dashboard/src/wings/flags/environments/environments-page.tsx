import { Stack, Text, VisuallyHidden } from '@mantine/core'
import { server } from '../../../api.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { ButtonLink, TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime, useNow } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type Connection, connectionOf } from './connection.ts'
import { EnvironmentName } from './environment-name.tsx'

/** Short enough to show within a minute that an SDK has connected or gone silent. */
const heartbeatsReadMs = 30_000

/** A project's environments, with what an SDK needs to connect. */
export function EnvironmentsPage() {
  const { project, params } = usePlace()
  const environments = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/environments',
    { params: { path: { projectId: project.id } } },
    { refetchInterval: heartbeatsReadMs },
  )
  return (
    <Page title="Environments" description={`The environments of ${project.name}, each with its SDK key.`}>
      <Text size="sm">
        To follow the flags of an environment,{' '}
        <TextLink to="/$org/$project/connect" params={params}>
          connect your SDK
        </TextLink>
        .
      </Text>
      <Loaded query={environments}>
        {({ data }) => data.map((environment) => <EnvironmentSection key={environment.id} environment={environment} />)}
      </Loaded>
    </Page>
  )
}

const connections = {
  CONNECTED: { tone: 'good', label: 'SDK connected' },
  SILENT: { tone: 'note', label: 'SDK silent' },
  NEVER: { tone: 'note', label: 'Never connected' },
} as const satisfies Record<Connection, unknown>

function EnvironmentSection({ environment }: { environment: Environment }) {
  const { params } = usePlace()
  const { key, name, color, sdkKey, dataFile, lastHeartbeatAt, hasStagedChanges } = environment
  const now = useNow()
  const { tone, label } = connections[connectionOf(lastHeartbeatAt, now)]
  return (
    <Section
      title={<EnvironmentName name={name} color={color} />}
      actions={
        <>
          {hasStagedChanges && <StatusBadge tone="note">Unpublished changes</StatusBadge>}
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <ButtonLink
            size="compact-sm"
            variant="default"
            to="/$org/$project/connect"
            params={params}
            search={{ env: key }}
          >
            Connect<VisuallyHidden> an SDK to {name}</VisuallyHidden>
          </ButtonLink>
        </>
      }
    >
      <Stack gap="sm">
        <CopyField label="SDK key" value={sdkKey} description="Public. SDKs use it to load this environment." />
        <CopyField label="Data file" value={dataFile.url} />
        <Text size="sm" c="dimmed">
          {dataFile.publishedAt === null ? (
            'Nothing published yet.'
          ) : (
            <>
              Revision {dataFile.revision}, published <RelativeTime time={dataFile.publishedAt} />.
            </>
          )}{' '}
          {lastHeartbeatAt !== null && (
            <>
              Last heartbeat of an SDK <RelativeTime time={lastHeartbeatAt} />.
            </>
          )}
        </Text>
      </Stack>
    </Section>
  )
}
