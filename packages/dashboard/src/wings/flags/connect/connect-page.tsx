import { Anchor, Code, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { server } from '../../../api.ts'
import { ChooseEnvironment } from '../../../shell/choose-environment.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { connectionOf } from '../environments/connection.ts'
import classes from './connect-page.module.css'
import { exampleKey } from './example-flag.ts'
import { FirstFlag, useFirstFlag } from './first-flag.tsx'
import { connectedWords, heartbeatsReadMs, useSeconds, waited } from './heartbeat.ts'
import { baseUrlOf, type Connection, checks, connectSnippets } from './snippets.ts'

const panelId = 'connect'

// A project has either flags or pages.
const TagPage = lazy(async () => ({ default: (await import('./tag-page.tsx')).TagPage }))

/** How a program follows the flags of a project, or pages the experiments of a web project. */
export function ConnectPage() {
  const { project } = usePlace()
  if (project.type !== 'WEB') return <ConnectSdk />
  return (
    <Suspense>
      <TagPage />
    </Suspense>
  )
}

/** The way from an environment to the first program that follows a flag. */
function ConnectSdk() {
  const { project } = usePlace()
  const { environment } = useEnvironment()
  const flag = useFirstFlag()
  const connection: Connection = {
    baseUrl: baseUrlOf(environment.dataFile.url),
    sdkKey: environment.sdkKey,
    flagKey: flag?.key ?? exampleKey,
  }
  return (
    <Page title="Connect your SDK" description={`Three steps until a program follows the flags of ${project.name}.`}>
      <ChooseEnvironment panelId={panelId} />
      <div className={classes.steps} id={panelId} role="tabpanel" aria-label={environment.name}>
        <Section
          title="1. Paste this into your program"
          description={`It has the address of this service and the SDK key of ${environment.name}. The key is public.`}
        >
          <Snippets connection={connection} />
          <Text size="sm">
            More in the <Anchor href="/docs/sdk">guide to the SDK</Anchor>.
          </Text>
        </Section>
        <HeartbeatSection key={environment.id} environment={environment} connection={connection} />
        <FirstFlag environment={environment} flag={flag} />
      </div>
    </Page>
  )
}

function Snippets({ connection }: { connection: Connection }) {
  const [first, ...others] = connectSnippets(connection).map(({ language, install, guide, use, code }) => ({
    language,
    code,
    about: (
      <>
        {install && (
          <>
            <span>Install the SDK first:</span>
            <Code className={classes.install ?? ''}>{install}</Code>
            <CopyButton text={install} label="Copy" what="the command that installs the SDK" size="xs" />
            <Anchor href={guide ?? '/docs/sdk#install-a-package-file'} size="sm">
              Where the file comes from
            </Anchor>
          </>
        )}
        <span>{use}</span>
      </>
    ),
  }))
  return <CodeSnippet label="Connect" snippets={[first!, ...others]} />
}

interface HeartbeatProps {
  environment: Environment
  connection: Connection
}

/** Waits in front of the person for the first heartbeat, and says what has connected. */
function HeartbeatSection({ environment, connection }: HeartbeatProps) {
  const { project, params } = usePlace()
  const path = { projectId: project.id, envId: environment.id }
  const { data } = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/environments/{envId}',
    { params: { path } },
    { refetchInterval: heartbeatsReadMs },
  )
  const now = useSeconds()
  const [since] = useState(() => Date.now())
  const seen = data?.data ?? environment
  const state = connectionOf(seen.lastHeartbeatAt, new Date(now))
  const mayReadClients = useMay('flags:read')
  const clients = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/environments/{envId}/clients',
    { params: { path, query: { limit: 100 } } },
    { refetchInterval: heartbeatsReadMs, enabled: state === 'CONNECTED' && mayReadClients },
  )
  const words = connectedWords(clients.data?.data ?? [], seen.sdks)
  return (
    <Section
      title="2. Start it"
      actions={
        state === 'CONNECTED' ? undefined : (
          <ButtonLink variant="default" to="/$org/$project/flags" params={params}>
            Skip
          </ButtonLink>
        )
      }
    >
      <div role="status">
        {state === 'CONNECTED' ? (
          <Notice tone="good" title={words === undefined ? 'Connected' : `Connected: ${words}`}>
            A program follows {environment.name}.
          </Notice>
        ) : (
          <StatusDot tone="note">
            {state === 'SILENT' ? 'Connected before. Waiting' : 'Waiting'} for{' '}
            {state === 'SILENT' ? 'the next' : 'the first'} heartbeat
            <span aria-hidden>, {waited(now - since)}</span>
          </StatusDot>
        )}
      </div>
      {state !== 'CONNECTED' && (
        <Disclosure summary="What can be wrong">
          <div className={classes.checks}>
            {checks(connection).map(({ title, means, command }) => (
              <Stack key={title} gap="xs">
                <Title order={3}>{title}</Title>
                <Text size="sm">{means}</Text>
                <CodeSnippet label={title} snippets={[{ language: 'Command', code: command }]} />
              </Stack>
            ))}
          </div>
        </Disclosure>
      )}
    </Section>
  )
}
