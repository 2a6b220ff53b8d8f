import type { components, Data } from '@svc/client'
import { eventCatalogue } from '@svc/client/catalogue'
import { command, type Group } from '../command.ts'
import { Problem, secretIn, usage } from '../problem.ts'
import { etagOf } from '../service/etag.ts'
import { eventsAfter, newest, tryFeed } from '../service/feed.ts'
import { allOf } from '../service/pages.ts'
import { untilInterrupted } from '../service/polling.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { keyOption } from '../values/field-options.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'
import { deliver, developmentSecret, forwardAddress } from '../webhooks/deliver.ts'
import { delivering, sentTo } from '../webhooks/delivering.ts'
import { receive } from '../webhooks/receive.ts'
import { withOwnIds } from '../webhooks/sample.ts'
import { aboutOf } from './events.ts'

type Webhook = Data<'/api/v1/projects/{projectId}/webhooks', 'get'>[number]
type CreateBody = components['schemas']['CreateWebhookBody']

const listPath = '/api/v1/projects/{projectId}/webhooks'
const itemPath = `${listPath}/{webhookId}` as const
const sending = { name: 'webhook', path: 'webhooks' } as const
const keys = { KEY: 'webhook' } as const
const eventNames = Object.keys(eventCatalogue)
const pollMs = 1000

const fields = {
  name: { value: 'NAME', about: 'The name for people.' },
  endpoint: { value: 'URL', about: 'Where deliveries go.' },
  event: { value: 'EVENT', many: true, about: 'An event to send, such as flag.published.' },
} as const

const list = command({
  name: 'webhook list',
  summary: 'List the webhooks of a project.',
  watch: true,
  options: limitOption,
  async run({ options, session }) {
    const { connection, project } = session
    const webhooks = await allOf(
      (query) => connection.api.GET(listPath, { params: { path: { projectId: project }, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    session.output.data(webhooks, () =>
      session.output.rows(
        [
          { head: 'KEY', cell: ({ key }) => key },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'URL', cell: ({ url }) => url },
          { head: 'ENABLED', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
          { head: 'EVENTS', cell: ({ events }) => events.join(', ') },
          { head: 'FAILURES', cell: ({ consecutiveFailures }) => consecutiveFailures, right: true },
        ],
        webhooks,
        'The project has no webhook.',
      ),
    )
  },
})

const get = command({
  name: 'webhook get',
  summary: 'Show a webhook.',
  watch: true,
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const webhook = await called(session, args.KEY)
    session.output.data(webhook, () => details(webhook, session))
  },
})

const create = command({
  name: 'webhook create',
  summary: 'Create a webhook, and print its secret.',
  about: 'The secret is shown only now. Keep it where your receiver verifies deliveries.',
  options: { ...fields, ...keyOption },
  examples: ['svc webhook create --name "Release log" --endpoint https://hooks.example.com/svc --event flag.published'],
  async run({ options, session }) {
    const { name, endpoint, event, key } = options
    if (name === undefined || endpoint === undefined || !event)
      throw usage('A webhook needs --name, --endpoint and --event.')
    const { data } = await session.connection.api.POST(listPath, {
      params: { path: { projectId: session.project } },
      body: { name, url: endpoint, events: event as CreateBody['events'], ...(key !== undefined && { key }) },
    })
    const webhook = data!.data
    const lost = `The webhook "${webhook.name}" is created, but the answer with its secret was lost`
    const secret = secretIn(webhook, lost, `run svc webhook rotate ${webhook.key}`)
    session.output.data(webhook, () => {
      details(webhook, session)
      session.output.details([['Secret  ', secret]])
    })
  },
})

const set = command({
  name: 'webhook set',
  summary: 'Change a webhook.',
  args: ['KEY'],
  keys,
  options: { ...fields, enabled: { value: 'yes|no', about: 'Whether it sends deliveries.', choices: ['yes', 'no'] } },
  async run({ args, options, session }) {
    const { name, endpoint, event, enabled } = options
    const body = {
      ...(name !== undefined && { name }),
      ...(endpoint !== undefined && { url: endpoint }),
      ...(event && { events: event as CreateBody['events'] }),
      ...(enabled !== undefined && { enabled: enabled === 'yes' }),
    }
    if (Object.keys(body).length === 0) throw usage('Nothing to change is given. See svc webhook set --help.')
    const { id } = await called(session, args.KEY)
    const path = { projectId: session.project, webhookId: id }
    const { response } = await session.connection.api.GET(itemPath, { params: { path } })
    const { data } = await session.connection.api.PATCH(itemPath, {
      params: { path, header: { 'x-svc-if-match': etagOf(response) } },
      body,
    })
    session.output.wrote(data!.data, `The webhook "${data!.data.name}" is changed.`)
  },
})

const rotate = command({
  name: 'webhook rotate',
  summary: 'Give a webhook a new secret, and print it.',
  about: 'Deliveries are signed with it from now on. The secret is shown only now.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { id, key, name } = await called(session, args.KEY)
    const { data } = await session.connection.api.POST(`${itemPath}/secret`, {
      params: { path: { projectId: session.project, webhookId: id } },
    })
    const lost = `The webhook "${name}" has a new secret, but the answer with it was lost`
    const secret = secretIn(data!.data, lost, `run svc webhook rotate ${key} again`)
    session.output.data(data!.data, () => session.output.line(secret))
  },
})

const remove = command({
  name: 'webhook delete',
  summary: 'Delete a webhook with its deliveries.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { id, name } = await called(session, args.KEY)
    await session.prompt.confirm(`Delete the webhook "${name}"?`)
    await session.connection.api.DELETE(itemPath, { params: { path: { projectId: session.project, webhookId: id } } })
    session.output.wrote(null, `The webhook "${name}" is deleted.`)
  },
})

const listen = command({
  name: 'webhook listen',
  summary: 'Print the events of a project as they happen, and forward them to your machine.',
  about:
    'It reads the event feed every second, so it works without a public address and a certificate. Subscriptions and\nfilters of webhooks do not apply. Forwarded events have the four headers of a delivery and are signed with a\nseparate secret, which stays the same. With --port, it receives deliveries on this machine and verifies them with\nSVC_WEBHOOK_SECRET.',
  options: {
    forward: { value: 'URL', about: 'Post each event to this address.' },
    since: { value: 'SEQ', about: 'Begin after the event with this number. Default: the next event.' },
    event: { value: 'EVENT', about: 'Only events of this name.' },
    port: { value: 'N', about: 'Receive deliveries on this port instead of reading the feed.' },
  },
  examples: [
    'svc webhook listen --forward http://localhost:3000/hooks',
    'SVC_WEBHOOK_SECRET=… svc webhook listen --port 4400',
  ],
  async run({ options, session }) {
    const { output, world } = session
    const port = wholeNumber(options.port, '--port')
    if (port !== undefined) {
      if (options.forward ?? options.since ?? options.event)
        throw usage('--port cannot be used with other options of listen.')
      return receive(session, port)
    }
    const address = options.forward === undefined ? undefined : forwardAddress(options.forward)
    let after = wholeNumber(options.since, '--since', 0) ?? (await newest(session))
    const secret = address === undefined ? undefined : developmentSecret(session)
    await tryFeed(session, after, options.event)
    output.say(
      `Waiting for ${options.event ?? 'all'} events of the project. Subscriptions and filters of webhooks do not apply. Ctrl-C ends it.`,
    )
    if (secret !== undefined) output.say(`Forwarded events are signed with the secret ${secret}`)
    await untilInterrupted(world, pollMs, async () => {
      const page = await eventsAfter(session, after, { event: options.event })
      for (const event of page.events) {
        const { seq: _seq, ...body } = event
        const answered =
          address === undefined ? undefined : await deliver(session, address, secret!, { event: event.event, body })
        if (output.isJson)
          output.line(JSON.stringify({ ...event, ...(answered !== undefined && { forwarded: answered }) }))
        else
          output.line(
            [event.seq, shownTime(event.timestamp), event.event, aboutOf(event), answered].filter(Boolean).join('  '),
          )
        after = event.seq
      }
    })
  },
})

const sample = command({
  name: 'webhook sample',
  summary: 'Print the documented example of an event, or send it.',
  args: ['EVENT'],
  options: { forward: { value: 'URL', about: 'Post it to this address, signed as by webhook listen.' } },
  examples: ['svc webhook sample flag.published --forward http://localhost:3000/hooks'],
  async run({ args, options, session }) {
    const { connection, output } = session
    if (!eventNames.includes(args.EVENT))
      throw new Problem('not_found', `There is no event "${args.EVENT}". See docs/webhook-events.`)
    const description = (await (await connection.send('GET', '/openapi.json')).json()) as Description
    const body = exampleOf(description, args.EVENT)
    if (!body) throw new Problem('not_found', `The service does not send ${args.EVENT} yet, so there is no example.`)
    if (options.forward === undefined) return output.line(JSON.stringify(body, null, 2))
    const address = forwardAddress(options.forward)
    const secret = developmentSecret(session)
    const answered = await deliver(session, address, secret, { event: args.EVENT, body })
    output.say(`Signed with the secret ${secret}`)
    output.line(`${args.EVENT}  ${answered}`)
  },
})

export const webhook: Group = {
  name: 'webhook',
  summary: 'Send events to other systems, and develop receivers.',
  commands: [list, get, create, set, ...delivering(sending), rotate, remove, listen, sample],
}

interface Description {
  webhooks?: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref?: string } }> } } }>
  components: { schemas: Record<string, { examples?: Record<string, unknown>[] }> }
}

function exampleOf(
  { webhooks = {}, components: { schemas } }: Description,
  event: string,
): Record<string, unknown> | undefined {
  const reference = webhooks[event]?.post.requestBody.content['application/json']?.schema.$ref
  const example = reference === undefined ? undefined : schemas[reference.split('/').at(-1)!]?.examples?.[0]
  return example && withOwnIds(example)
}

const called = (session: Session, key: string): Promise<Webhook> => sentTo(session, sending, key)

function details(webhook: Webhook, { output }: Session): void {
  output.details([
    ['Key', webhook.key],
    ['Id', webhook.id],
    ['Name', webhook.name],
    ['URL', webhook.url],
    ['Enabled', webhook.enabled ? 'yes' : `no${webhook.disableReason ? `: ${webhook.disableReason}` : ''}`],
    ['Failures', webhook.consecutiveFailures],
    ['Events', webhook.events.join(', ')],
  ])
}
