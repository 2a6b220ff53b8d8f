import { Anchor, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { server } from '../../../api.ts'
import { ChooseEnvironment } from '../../../shell/choose-environment.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ToSubjects } from '../../../shell/subject.tsx'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { counted } from '../../../ui/words/lists.ts'
import classes from './connect-page.module.css'
import { heartbeatsReadMs, useSeconds, waited } from './heartbeat.ts'
import { isListed, type SeenHost, secondsAgo, seenHosts } from './seen-pages.ts'
import { baseUrlOf } from './snippets.ts'
import { policyOf, siteSnippets, type Tag, type TagSnippet, tagChecks, tagSnippets } from './tag-snippets.ts'

const panelId = 'tag'

/** The way from an environment of a web project to the first page that follows it. */
export function TagPage() {
  const { project } = usePlace()
  const { environment } = useEnvironment()
  const tag: Tag = { baseUrl: baseUrlOf(environment.dataFile.url), sdkKey: environment.sdkKey }
  return (
    <Page
      title="Add the tag to your site"
      description={`One script tag, and the pages of ${project.name} follow its experiments.`}
    >
      <ChooseEnvironment panelId={panelId} />
      <div className={classes.steps} id={panelId} role="tabpanel" aria-label={environment.name}>
        <Section
          title="1. Put the tag into your pages"
          description={`It has the address of this service and the SDK key of ${environment.name}. The key is public.`}
        >
          <CodeSnippet label="Tag" snippets={shown(tagSnippets(tag))} />
          <Disclosure summary="Next.js, Nuxt, or your own server">
            <CodeSnippet label="Site" snippets={shown(siteSnippets(tag))} />
          </Disclosure>
          <Text size="sm">
            More in the guides to{' '}
            <Anchor href="/docs/web-tag" inherit underline="always">
              the tag
            </Anchor>{' '}
            and to{' '}
            <Anchor href="/docs/web-server" inherit underline="always">
              servers and the edge
            </Anchor>
            .
          </Text>
        </Section>
        <Section
          title="2. Allow it in your content security policy"
          description="Skip this if your pages have none. Nothing else is needed: no unsafe-inline and no unsafe-eval."
        >
          <CodeSnippet
            label="Policy"
            snippets={[{ language: 'Content-Security-Policy', code: `${policyOf(tag)}\n` }]}
          />
        </Section>
        <SeenSection key={environment.id} environment={environment} tag={tag} />
      </div>
    </Page>
  )
}

function shown([first, ...others]: [TagSnippet, ...TagSnippet[]]) {
  const of = ({ language, use, code }: TagSnippet) => ({ language, code, about: <span>{use}</span> })
  return [of(first), ...others.map(of)] as const
}

/** The clients of an environment, read again while the person watches. */
function useSeen(environment: Environment): { hosts: SeenHost[] | undefined; mayRead: boolean } {
  const { project } = usePlace()
  const mayRead = useMay('flags:read')
  const { data } = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/environments/{envId}/clients',
    { params: { path: { projectId: project.id, envId: environment.id }, query: { limit: 100 } } },
    { refetchInterval: heartbeatsReadMs, enabled: mayRead },
  )
  return { hosts: data && seenHosts(data.data), mayRead }
}

function SeenSection({ environment, tag }: { environment: Environment; tag: Tag }) {
  const { hosts, mayRead } = useSeen(environment)
  return (
    <Section title="3. Open a page of your site" actions={<ToSubjects />}>
      {!mayRead && (
        <Text size="sm">
          Your role does not include reading clients. The permission that shows which pages have the tag is
          “flags:read”.
        </Text>
      )}
      {/* The seconds below would be read out again and again. */}
      <VisuallyHidden role="status">
        {hosts?.[0] && `${hosts[0].host} has the tag of ${environment.name}.`}
      </VisuallyHidden>
      {hosts && hosts.length > 0 && <Seen hosts={hosts} />}
      {hosts?.length === 0 && (
        <>
          <Waiting />
          <WhatToCheck tag={tag} />
        </>
      )}
    </Section>
  )
}

const readSettings = '/api/v1/projects/{projectId}/web-settings'

function Seen({ hosts }: { hosts: readonly SeenHost[] }) {
  const { project, params } = usePlace()
  const now = useSeconds()
  const { data } = server.useQuery('get', readSettings, { params: { path: { projectId: project.id } } })
  const unlisted = data ? hosts.filter(({ host }) => !isListed(host, data.data.hosts)).map(({ host }) => host) : []
  return (
    <>
      <ul className={classes.hosts} aria-label="Hosts with the tag">
        {hosts.map(({ host, lastSeenAt, revisionsBehind }) => (
          <li key={host}>
            <StatusDot tone="good">
              Seen {secondsAgo(lastSeenAt, now)} from <b>{host}</b>
              {revisionsBehind ? `, ${counted(revisionsBehind, 'revision')} behind` : ''}
            </StatusDot>
          </li>
        ))}
      </ul>
      {unlisted.length > 0 && (
        <Notice
          title={`${unlisted.join(', ')} ${unlisted.length === 1 ? 'is' : 'are'} not among the hosts of this site`}
          actions={
            <TextLink to="/$org/$project/settings/site" params={params}>
              Go to site settings
            </TextLink>
          }
        >
          Experiments work there. Previews, the editor and redirects need the host in the settings.
        </Notice>
      )}
    </>
  )
}

function Waiting() {
  const now = useSeconds()
  const [since] = useState(() => Date.now())
  return (
    <StatusDot tone="note">
      Waiting for the first page
      <span aria-hidden>, {waited(now - since)}</span>
    </StatusDot>
  )
}

function WhatToCheck({ tag }: { tag: Tag }) {
  return (
    <Disclosure summary="What to check">
      <div className={classes.checks}>
        {tagChecks(tag).map(({ title, means, command }) => (
          <Stack key={title} gap="xs">
            <Title order={3}>{title}</Title>
            <Text size="sm">{means}</Text>
            <CodeSnippet label={title} snippets={[{ language: 'Command', code: command }]} />
          </Stack>
        ))}
        <Stack gap="xs">
          <Title order={3}>Your browser has said it already, or says nothing</Title>
          <Text size="sm">
            A browser reports a host once in a session: open a private window. It reports nothing while it waits for
            your consent, with Do Not Track or Global Privacy Control, with an ad blocker, or if a program drives it.
          </Text>
        </Stack>
      </div>
    </Disclosure>
  )
}
