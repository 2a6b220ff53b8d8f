import { authors } from '../src/platform/outbox.ts'
import { sealWith } from '../src/platform/seal.ts'
import { fanOut } from '../src/wings/telling/deliveries/index.ts'
import { integrationWorker } from '../src/wings/telling/integrations/index.ts'
import { succeed } from './flags.ts'
import type { Received, TestReceiver } from './vendors/receiver.ts'
import type { WebhookTest } from './webhooks.ts'

const uuid = '0198f2c6-1b2d-4c3e-8f4a-5b6c7d8e9f00'

/** A valid form of each kind. Every secret in it ends with `WxYz`. */
export const configs = {
  SLACK: { url: 'https://hooks.slack.com/services/T0/B0/slackSecretWxYz' },
  TEAMS: { url: 'https://prod.logic.azure.com/workflows/teamsSecretWxYz' },
  DISCORD: { url: 'https://discord.com/api/webhooks/1/discordSecretWxYz' },
  GOOGLE_CHAT: { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=googleSecretWxYz' },
  JIRA: { site: 'https://acme.atlassian.net', email: 'ada@svc.test', token: 'jiraSecretWxYz', projectKey: 'OPS' },
  LINEAR: { apiKey: 'lin_api_linearSecretWxYz', teamId: uuid },
  GITHUB: { owner: 'acme', repo: 'shop', token: 'ghp_githubSecretWxYz' },
  PAGERDUTY: { routingKey: 'pagerdutySecret0000000000000WxYz' },
  TEMPLATE: {
    url: 'https://alarms.example/in/templateSecretWxYz',
    headers: { 'X-Api-Key': 'headerSecretWxYz' },
    body: { text: '{{flag.name}} of {{project.name}}', event: '{{event}}' },
  },
} as const

export type TestKind = keyof typeof configs

export const secretEnd = /\w+Secret0*WxYz/

/** What each vendor answers when it takes a message. */
export function goodAnswer({ url, body }: Received) {
  const { host } = new URL(url)
  if (host === 'hooks.slack.com') return { status: 200, body: 'ok' }
  if (host === 'prod.logic.azure.com' || host.startsWith('events.')) return { status: 202, body: '{}' }
  if (host === 'api.github.com')
    return { status: 201, body: JSON.stringify({ number: 7, html_url: 'https://github.com/acme/shop/issues/7' }) }
  if (host === 'acme.atlassian.net') return { status: 201, body: JSON.stringify({ id: '7', key: 'OPS-7' }) }
  if (host === 'api.linear.app') {
    const issue = { id: JSON.parse(body).variables.input.id, url: 'https://linear.app/acme/issue/OPS-7' }
    return { status: 200, body: JSON.stringify({ data: { issueCreate: { success: true, issue } } }) }
  }
  return { status: 200, body: '{}' }
}

let count = 0

export interface TestDestination {
  id: string
  path: string
  kind: TestKind
}

export const destinationBody = (kind: TestKind, more: Record<string, unknown> = {}) => {
  count += 1
  return { name: `${kind} ${count}`, kind, config: configs[kind], events: ['flag.created'], ...more }
}

/** Hears `flag.created` by default. */
export async function newDestination(
  { service, project }: Pick<WebhookTest, 'service' | 'project'>,
  kind: TestKind,
  more: Record<string, unknown> = {},
): Promise<TestDestination> {
  const { id } = await succeed(service, 'POST', `${project.path}/destinations`, destinationBody(kind, more))
  return { id, kind, path: `${project.path}/destinations/${id}` }
}

/** The bodies that a host got, read as JSON. */
export const bodiesAt = (receiver: TestReceiver, host: string) =>
  receiver.received.filter(({ url }) => new URL(url).host === host).map(({ body }) => JSON.parse(body))

/** The worker of a second node on the same database. It looks for work only when the test asks. */
export function secondWorker({ service, clock, receiver }: WebhookTest) {
  return integrationWorker({
    database: service.database,
    request: receiver.outbound.request,
    mailer: null,
    seal: sealWith(Buffer.from(service.settings.SVC_SECRET_KEY!, 'base64url')),
    baseUrl: service.baseUrl,
    recipientsOf: async () => [],
    awaitsAnswer: async () => false,
    authorOf: authors([fanOut], clock.now),
    settings: { ladderMs: [60_000], timeoutMs: 10_000 },
    observe: {
      attempted: () => undefined,
      failed(error) {
        throw error
      },
    },
    now: clock.now,
  })
}
