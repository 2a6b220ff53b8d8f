import type { Data } from '@svc/client'
import { type Command, command } from '../command.ts'
import { Problem, usage } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { statusColor } from '../terminal/status-color.ts'
import type { Column } from '../terminal/table.ts'
import { shownTime } from '../terminal/times.ts'
import { momentOf } from '../values/moments.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'

type Delivery = Data<'/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries', 'get'>[number]
type Page<Item> = { data: Item[]; page: { nextCursor: string | null; hasMore: boolean } }

const statuses = ['PENDING', 'DELIVERED', 'FAILED', 'PERMANENTLY_FAILED'] as const

/** A kind of receivers: webhooks or destinations. */
export interface Sending {
  /** The first word of the commands. It is also the name for people, and the kind of its keys. */
  name: 'webhook' | 'destination'
  /** The last part of the address of their list. */
  path: string
}

interface Receiver {
  id: string
  name: string
  key?: string
}

const listOf = ({ project }: Session, { path }: Sending): string =>
  `/api/v1/projects/${encodeURIComponent(project)}/${path}`

async function read<T>({ connection }: Session, method: string, path: string, body?: unknown): Promise<T> {
  const response = await connection.send(method, path, {
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return (await response.json()) as T
}

const pages = <Item>(session: Session, path: string, filter: Record<string, string> = {}, limit?: number) =>
  allOf<Item>(async (query) => {
    const asked = Object.entries({ ...query, ...filter }).map(([name, value]) => [name, String(value)])
    return { data: await read<Page<Item>>(session, 'GET', `${path}?${new URLSearchParams(asked)}`) }
  }, limit)

/** The webhook or destination of this key, id or name. */
export async function sentTo<Item extends Receiver>(session: Session, sending: Sending, called: string): Promise<Item> {
  const all = await pages<Item>(session, listOf(session, sending))
  const exact = all.find(({ id, key }) => id === called || key === called)
  if (exact) return exact
  const alike = all.filter(({ name }) => name === called)
  if (alike.length > 1)
    throw new Problem(
      'conflict',
      `Several ${sending.path} have the name "${called}". Use one of: ${alike.map(({ key, id }) => key ?? id).join(', ')}.`,
    )
  const [noun = '', ...rest] = sending.name
  if (!alike[0]) throw new Problem('not_found', `${noun.toUpperCase()}${rest.join('')} "${called}" was not found.`)
  return alike[0]
}

/** `test`, `deliveries`, `retry` and `replay`. */
export const delivering = (sending: Sending): readonly Command[] => [
  testOf(sending),
  deliveriesOf(sending),
  retryOf(sending),
  replayOf(sending),
]

/** The receiver that a person names, and its address. */
async function one(session: Session, sending: Sending, called: string) {
  const receiver = await sentTo<Receiver>(session, sending, called)
  return { receiver, path: `${listOf(session, sending)}/${receiver.id}` }
}

const testOf = (sending: Sending): Command =>
  command({
    name: `${sending.name} test`,
    summary: 'Send a test ping, and show what the receiver answers.',
    args: ['KEY'],
    keys: { KEY: sending.name },
    async run({ args, session }) {
      const { receiver, path } = await one(session, sending, args.KEY)
      const { data } = await read<{ data: Delivery }>(session, 'POST', `${path}/test`)
      session.output.wrote(data, `"${receiver.name}": ${outcomeOf(data)}`)
      if (data.status !== 'DELIVERED') throw new Problem('failed', 'The receiver did not accept the test ping.')
    },
  })

const deliveriesOf = (sending: Sending): Command =>
  command({
    name: `${sending.name} deliveries`,
    summary: `List the deliveries of a ${sending.name}, newest first.`,
    watch: true,
    args: ['KEY'],
    keys: { KEY: sending.name },
    options: {
      status: { value: 'STATUS', about: 'Only deliveries with this status.', choices: statuses },
      event: { value: 'EVENT', about: 'Only deliveries of this event.' },
      since: { value: 'TIME', about: 'From this time on, such as 2026-12-01T08:00:00Z or 2h.' },
      ...limitOption,
    },
    async run({ args, options, session }) {
      const { output, world } = session
      const { status, event, since } = options
      const { path } = await one(session, sending, args.KEY)
      const filter = {
        ...(status !== undefined && { status }),
        ...(event !== undefined && { eventType: event }),
        ...(since !== undefined && { since: momentOf(since, '--since', world.now()) }),
      }
      const limit = wholeNumber(options.limit, '--limit')
      const found = await pages<Delivery>(session, `${path}/deliveries`, filter, limit)
      output.data(found, () => output.rows(columns, found, 'No delivery matches.'))
    },
  })

const columns: readonly Column<Delivery>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'EVENT', cell: ({ eventType }) => eventType },
  { head: 'STATUS', cell: ({ status }) => status, color: ({ status }) => statusColor(status) },
  { head: 'ATTEMPTS', cell: ({ attempts }) => attempts, right: true },
  { head: 'ANSWER', cell: ({ responseStatus, errorMessage }) => responseStatus ?? errorMessage },
  { head: 'NEXT', cell: ({ nextRetryAt }) => shownTime(nextRetryAt) },
]

const retryOf = (sending: Sending): Command =>
  command({
    name: `${sending.name} retry`,
    summary: 'Send a delivery again.',
    args: ['KEY', 'DELIVERY'],
    keys: { KEY: sending.name },
    async run({ args, session }) {
      const { path } = await one(session, sending, args.KEY)
      const delivery = encodeURIComponent(args.DELIVERY)
      const { data } = await read<{ data: Delivery }>(session, 'POST', `${path}/deliveries/${delivery}/retry`)
      session.output.wrote(data, `The delivery ${args.DELIVERY} is ${data.status}.`)
    },
  })

const replayOf = (sending: Sending): Command =>
  command({
    name: `${sending.name} replay`,
    summary: 'Send the failed deliveries of a time range again.',
    args: ['KEY'],
    keys: { KEY: sending.name },
    options: {
      since: { value: 'TIME', about: 'From this time on, such as 2026-12-01T08:00:00Z or 2h.' },
      until: { value: 'TIME', about: 'Before this time. Default: now.' },
      all: { about: 'Also send those that were delivered.' },
    },
    async run({ args, options, session }) {
      const { world, output } = session
      const { since, until, all } = options
      if (since === undefined) throw usage(`--since is missing: svc ${sending.name} replay KEY --since TIME.`)
      const { path } = await one(session, sending, args.KEY)
      const { data } = await read<{ data: { replayed: number } }>(session, 'POST', `${path}/deliveries/replay`, {
        since: momentOf(since, '--since', world.now()),
        until: until === undefined ? world.now().toISOString() : momentOf(until, '--until', world.now()),
        ...(all && { includeDelivered: true }),
      })
      const { replayed } = data
      output.wrote(data, `${replayed} ${replayed === 1 ? 'delivery is' : 'deliveries are'} sent again.`)
    },
  })

const outcomeOf = ({ status, responseStatus, errorMessage }: Delivery): string =>
  [status, responseStatus, errorMessage].filter((part) => part !== null && part !== '').join(', ')
