import { type Data, nouns } from '@svc/client'
import { eventCatalogue } from '@svc/client/catalogue'
import type { Status } from '../../../ui/status/status-words.ts'
import { shortDistance } from '../../../ui/time/distance.ts'
import { allOf } from '../../../ui/words/lists.ts'

export type Delivery = Data<'/api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries', 'get'>[number]
export type DeliveryStatus = Delivery['status']

type Tried = Pick<Delivery, 'status' | 'attempts' | 'nextRetryAt' | 'eventType'>

const tries = (count: number): string => (count === 1 ? '1 try' : `${count} tries`)

/** The state of a delivery in words: "Failed after 6 tries", "Next try in 4 min". */
export function deliveryState({ status, attempts, nextRetryAt }: Tried, isHeld: boolean, now: Date): Status {
  if (status === 'DELIVERED')
    return { tone: 'good', words: attempts > 1 ? `Delivered at try ${attempts}` : 'Delivered' }
  if (status === 'FAILED') return { tone: 'bad', words: `Failed after ${tries(attempts)}` }
  if (status === 'PERMANENTLY_FAILED') return { tone: 'bad', words: 'Refused for good' }
  if (isHeld) return { tone: 'warning', words: 'Held until you switch it on' }
  if (attempts === 0) return { tone: 'note', words: 'Waiting' }
  if (nextRetryAt === null) return { tone: 'note', words: 'Trying now' }
  const next = new Date(nextRetryAt)
  return { tone: 'warning', words: next <= now ? 'Next try now' : `Next try in ${waitWords(next, now)}` }
}

const waitWords = (next: Date, now: Date): string => {
  const words = shortDistance(next, now)
  return words === 'now' ? 'less than 1 min' : words
}

export const canRetry = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'FAILED' || status === 'PERMANENTLY_FAILED'

/** "HTTP 503", or why there was no answer; undefined before the first try. Mail servers accept without a status. */
export function answerOf({
  status,
  responseStatus,
  errorMessage,
}: Pick<Delivery, 'responseStatus' | 'errorMessage'> & { status?: DeliveryStatus }): string | undefined {
  if (responseStatus !== null) return `HTTP ${responseStatus}`
  return errorMessage ?? (status === 'DELIVERED' ? 'Accepted' : undefined)
}

/** The answer to a test, and after how long it came. A failure without an answer is a sentence of its own. */
export function pingWords(
  delivery: Pick<Delivery, 'status' | 'responseStatus' | 'errorMessage' | 'createdAt' | 'lastAttemptAt'>,
): string {
  const { status, responseStatus, createdAt, lastAttemptAt } = delivery
  const answer = answerOf(delivery) ?? 'No answer yet'
  if (lastAttemptAt === null || (responseStatus === null && status !== 'DELIVERED')) return answer
  return `${answer} in ${(Date.parse(lastAttemptAt) - Date.parse(createdAt)).toLocaleString('en')} ms`
}

export interface Try {
  place: number
  words: string
  state: 'made' | 'next' | 'to come' | 'not needed'
}

/**
 * Each try of a delivery, how long it waits after the one before it, and whether it was made. Test pings have one.
 * There are more tries than delays after the operator has shortened the list.
 */
export function triesOf({ status, attempts, nextRetryAt, eventType }: Tried, retryDelaysMs: readonly number[]): Try[] {
  const count = eventType === 'webhook.test' ? 1 : Math.max(attempts, retryDelaysMs.length + 1)
  return Array.from({ length: count }, (_, index) => {
    const place = index + 1
    const words = index === 0 ? 'At once' : delayWords(retryDelaysMs[index - 1])
    // A try that is under way counts already.
    if (place <= attempts && !(status === 'PENDING' && nextRetryAt === null && place === attempts))
      return { place, words, state: 'made' }
    if (status !== 'PENDING') return { place, words, state: 'not needed' }
    return {
      place,
      words,
      state: place === Math.max(attempts, nextRetryAt === null ? attempts : attempts + 1) ? 'next' : 'to come',
    }
  })
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** "5 min", "1.5 h", "250 ms". A delay that is not known any more has no words. */
function delayWords(ms: number | undefined): string {
  if (ms === undefined) return 'Later'
  const [unit, unitMs] = units.find(([, each]) => ms >= each) ?? ['ms', 1]
  return `${Number((ms / unitMs).toFixed(1))} ${unit}`
}

/**
 * When the last automatic try of a waiting delivery starts at the latest, if none is lengthened by the receiver. Until
 * then it is signed with the secret that it was created with.
 */
export function lastTryAt(
  { attempts, nextRetryAt }: Pick<Delivery, 'attempts' | 'nextRetryAt'>,
  retryDelaysMs: readonly number[],
  now: Date,
): Date {
  const next = nextRetryAt === null ? now : new Date(Math.max(Date.parse(nextRetryAt), now.getTime()))
  const made = nextRetryAt === null ? attempts : attempts + 1
  const restMs = retryDelaysMs.slice(Math.max(made - 1, 0)).reduce((sum, ms) => sum + ms, 0)
  return new Date(next.getTime() + restMs)
}

/** The name of the object that a delivery is about: "One-page checkout". */
export function subjectOf(payload: Record<string, unknown>): string | undefined {
  const { event, flag, flags } = payload
  if (flag === undefined && Array.isArray(flags) && flags.length > 0) {
    const names = flags.map(nameIn).filter((name) => name !== undefined)
    if (names.length > 0) return allOf(names, 2)
  }
  const about = aboutOf(String(event))
  return about && nameIn(payload[about])
}

/** The field of a body with the noun that an event is about. */
function aboutOf(event: string): string | undefined {
  const about = event in eventCatalogue ? eventCatalogue[event as keyof typeof eventCatalogue].about : undefined
  return about && nouns[about].inBody[0]
}

const nameIn = (value: unknown): string | undefined => {
  const name = typeof value === 'object' && value !== null ? (value as { name?: unknown }).name : undefined
  return typeof name === 'string' ? name : undefined
}

/** The headers of a try. Two of them are new for each try. */
export const headersOf = ({
  deliveryId,
  eventType,
}: Pick<Delivery, 'deliveryId' | 'eventType'>): [string, string][] => [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'Svc-Webhooks/1.0'],
  ['X-Svc-Delivery-Id', deliveryId],
  ['X-Svc-Event', eventType],
  ['X-Svc-Timestamp', 'the time of the try'],
  ['X-Svc-Signature', 'sha256=… of the try'],
]

/** A command that sends the same delivery to the address, signed with the secret in `WEBHOOK_SECRET`. */
export function curlOf(
  url: string,
  { deliveryId, eventType, payload }: Pick<Delivery, 'deliveryId' | 'eventType' | 'payload'>,
): string {
  return `id=${quoted(deliveryId)}
body=${quoted(JSON.stringify(payload))}
timestamp=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
signature=$(printf '%s' "$id.$timestamp.$body" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //')
curl -i ${quoted(url)} \\
  -H 'Content-Type: application/json' \\
  -H "X-Svc-Delivery-Id: $id" \\
  -H ${quoted(`X-Svc-Event: ${eventType}`)} \\
  -H "X-Svc-Timestamp: $timestamp" \\
  -H "X-Svc-Signature: sha256=$signature" \\
  --data-raw "$body"`
}

/** A word of the shell: nothing in it is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
