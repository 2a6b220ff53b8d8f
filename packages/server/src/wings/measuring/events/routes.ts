import type { FastifyInstance, FastifyReply } from 'fastify'
import { invalid, type Refusal } from '../../../catalogue/refusals.ts'
import { sdkOperation } from '../../../http/openapi/operation.ts'
import { acceptFromSdks, askAgainIn, describedFailures, type SdkAddress } from '../../../http/sdk-post.ts'
import type { Background } from '../../../platform/background.ts'
import type { OpenRoom } from '../../../platform/held.ts'
import { beginSpan } from '../../../platform/tracing/index.ts'
import type { DataFileStore } from '../../serving/datafile/index.ts'
import type { Usage } from '../../serving/heartbeat/index.ts'
import type { AddressNotes } from './addresses/worker.ts'
import { isBotAgent, isBotRequest, isSentByPage } from './bots.ts'
import type { ToldError } from './event.ts'
import type { Fault } from './fault.ts'
import type { Gathering } from './gather.ts'
import { type IngestKeys, senderOf } from './ingest-key/actions.ts'
import type { IngestionObserver } from './metrics.ts'
import type { NameStore } from './names.ts'
import type { NewOrder } from './order.ts'
import { type EventQuota, quotaMessages } from './quota/quota.ts'
import { readEvents } from './read-events.ts'
import { describedEvents, eventsAnswer, eventsError, maxEvents } from './schema.ts'
import type { NewEvent } from './store.ts'

interface Context {
  /** Knows the environment of an SDK key. */
  dataFiles: DataFileStore
  usage: Usage
  ingestKeys: IngestKeys
  names: NameStore
  gathered: Gathering<NewEvent>
  /** Orders are kept apart. */
  orders: Gathering<NewOrder>
  quota: EventQuota
  addresses: Pick<AddressNotes, 'note'>
  /** Takes an error of the code of a variation, unless it does not count. */
  takeError: (error: ToldError) => Fault | undefined
  observe: IngestionObserver
  background: Background
  now: () => Date
  requestsPerMinute: number
  openRoom: OpenRoom
  isUnavailable: (error: unknown) => boolean
}

const maxBytes = 1024 * 1024
const retryAfterSeconds = 2
const unknownIngestKey =
  'The ingest key is not one of this environment: it is unknown, revoked or of a different environment. Nothing of the batch is stored. Send a key of this environment as "Authorization: Bearer svc_ing_…", or no key.'
/** The wait is long, because a new day or more disk space takes a while. */
const stoppedRetrySeconds = 600

/** Takes exposures, tracked events and orders from SDKs. The answer comes after the commit. */
export function eventRoutes(app: FastifyInstance, context: Context): void {
  const { dataFiles, usage, names, gathered, orders, ingestKeys, observe, now } = context
  const handle: SdkAddress['handle'] = async (request, reply) => {
    const body = request.body as Partial<Record<'sdkKey' | 'events', unknown>> | null | undefined
    if (typeof body !== 'object' || body === null)
      return refuse(reply, 'The body must be an object with sdkKey and events.')
    const { sdkKey, events } = body
    if (typeof sdkKey !== 'string') return refuse(reply, 'sdkKey must be a text.')
    if (!Array.isArray(events) || events.length > maxEvents)
      return refuse(reply, `events must be a list of at most ${maxEvents} events.`)
    const environment = dataFiles.findHeld(sdkKey) ?? (await dataFiles.find(sdkKey))
    if (!environment) return reply.code(401).send({ error: 'Unknown SDK key' })
    const { envId } = environment
    usage.used(sdkKey, 'EVENTS')
    const stopped = context.quota.refuses(envId)
    if (stopped) return askAgainIn(reply, stoppedRetrySeconds).code(429).send({ error: quotaMessages[stopped] })
    const admission = await ingestKeys.admit(envId, senderOf(request))
    if (!admission) return reply.code(401).send({ error: unknownIngestKey })
    const arrival = { envId, receivedAt: now(), isBot: isBotRequest(request.headers), isBotAgent, ...admission }
    const read = await readEvents(names, events, arrival)
    const span = beginSpan('events.ingest', { 'svc.environment.id': envId })
    const stored = storing(context, read)
    if (!stored) {
      observe.full(gathered.waiting() + orders.waiting())
      return askAgainIn(reply, retryAfterSeconds)
        .code(429)
        .send({ error: `Too many events wait to be stored. Send the batch again in ${retryAfterSeconds} s.` })
    }
    const isNew = (await stored).filter(Boolean)
    span?.end()
    const refused = read.errors.flatMap(({ index, error }) => {
      const fault = context.takeError(error)
      if (fault) return [{ index, ...fault }]
      context.quota.count([error])
      return []
    })
    const rejected = [...read.rejected, ...refused]
    const accepted = isNew.length + read.errors.length - refused.length
    const { ip, headers } = request
    context.addresses.note(read.events, { ip, byPage: isSentByPage(headers), receivedAt: arrival.receivedAt })
    const duplicates = read.events.length + read.orders.length - isNew.length
    observe.taken(accepted, duplicates)
    for (const { code } of rejected) observe.rejected(code)
    if (rejected.some(({ code }) => code === 'ingest_key_required')) usage.missedIngestKey(envId)
    // A flag whose variation a visitor got was evaluated.
    if (read.flagKeys.size > 0) context.background.run(() => usage.evaluated(envId, read.flagKeys))
    return reply.code(202).send({ accepted, duplicates, rejected })
  }
  acceptFromSdks(app, {
    addresses: [{ url: '/api/sdk/v1/events', described: eventsOperation, handle }],
    what: 'batches of events',
    maxBytes,
    perMinute: context.requestsPerMinute,
    openRoom: context.openRoom,
    retryAfterSeconds,
    isUnavailable: context.isUnavailable,
    parse: parseEvents,
  })
}

/** Resolves when all are stored: which of them are new. Undefined if there is no room for them. */
function storing(
  { gathered, orders }: Pick<Context, 'gathered' | 'orders'>,
  read: Pick<Awaited<ReturnType<typeof readEvents>>, 'events' | 'orders'>,
): Promise<boolean[]> | undefined {
  const ordered = orders.add(read.orders)
  if (!ordered) return undefined
  const stored = gathered.add(read.events)
  if (stored) return Promise.all([stored, ordered]).then((each) => each.flat())
  // The batch is sent again, and then its orders are duplicates.
  ordered.catch(() => undefined)
  return undefined
}

/** Only what events need: `event.ts` limits every value that it takes. */
function parseEvents(bytes: Uint8Array): { value: unknown } | { refusal: Refusal } {
  try {
    return { value: JSON.parse(decoder.decode(bytes)) }
  } catch {
    return { refusal: invalid({ path: [], message: 'The body must be well-formed JSON in UTF-8.' }) }
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const refuse = (reply: FastifyReply, error: string) => reply.code(400).send({ error })

const eventsOperation = sdkOperation({
  operationId: 'sendEvents',
  summary: 'Send exposures, tracked events and orders',
  description:
    'Accepts up to 500 events and 1 MiB. The answer comes when the events are stored durably. If there is no answer, or if it is 429 or 503, send the same events with the same ids again: each is counted only once. The SDK key in the body is public. Servers can send an ingest key of the environment as bearer token: the environment says which of its events count only with one (`ingestKeyRequiredFor`), and these are rejected with `ingest_key_required` without it. Browsers send the JSON as `text/plain`, which needs no preflight request.',
  consumes: ['application/json', 'text/plain'],
  body: describedEvents,
  takesIngestKey: true,
  answers: {
    202: {
      description: 'The events are stored, except for those in `rejected`',
      headers: ['Access-Control-Allow-Origin'],
      content: { 'application/json': eventsAnswer },
    },
    ...describedFailures(
      'The batch is',
      'Too many batches from this address, too many events wait to be stored, the environment has used up its daily quota, or the disk is full or almost full. No event of the batch is stored',
      eventsError,
      'The SDK key is unknown, or the ingest key is not one of the environment. No event of the batch is stored',
    ),
  },
})
