import { maxItemIdLength } from '../../model/catalog/index.ts'
import type { IngestKeyRequirement } from '../../model/environments/index.ts'
import { idOf, maxIdLength } from './event-id.ts'
import { type Fault, fault } from './fault.ts'
import { type EventType, needsIngestKey } from './ingest-key/requirement.ts'
import { type NewOrder, readOrder } from './order.ts'
import { isReserved } from './reserved.ts'
import { type EventKind, eventKinds, type NewEvent } from './store.ts'
import { idText, isText } from './text.ts'

/** A rule as events name it: by what the data file calls it, and its variations by key. */
export interface RuleNames {
  ruleId: string
  flagKey: string
  /** Ids of variations by key. */
  variations: ReadonlyMap<string, string>
}

/** What the events of a request have in common. */
export interface Arrival {
  envId: string
  receivedAt: Date
  /** Finds a rule of the environment. */
  ruleNamed: (name: string) => RuleNames | undefined
  /** Which events are rejected, because their request has no ingest key. */
  lacksKeyFor: IngestKeyRequirement
  /** Whether the sender is a bot itself. */
  isBot: boolean
  /** Whether a user agent that an event names is a bot’s. */
  isBotAgent: (userAgent: string) => boolean
}

export const maxUnitLength = 512
/** Of the keys that metrics name too. */
export const maxEventKeyLength = 128
export const maxFacts = 20
export const maxFactName = 64
export const maxFactLength = 200
/** Squares of larger values could not be added up. */
export const maxValue = 1e12
/** Anything closer to 0 is what rounding has left of 0, and cubes of it would be too small for the database. */
export const minValue = 1e-12
const maxTimeLength = 40
/** How late an event can arrive and keep its own time. */
export const maxAgeMs = 30 * 86_400_000

/**
 * Reads one event of a request. It is written by hand and not as a schema, because it runs for every event. Unknown
 * fields are allowed, because newer SDKs can send more.
 */
export function readEvent(event: unknown, arrival: Arrival): NewEvent | NewOrder | ToldError | Fault {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return fault('The event must be an object.')
  const told = event as Record<string, unknown>
  const { type, id, unit, ts } = told
  if (!isEventType(type)) return typeFault(type)
  if (needsIngestKey(type, arrival.lacksKeyFor)) return keyFault(type)
  if (!isText(id, maxIdLength)) return fault(`id must be a text of 1 to ${maxIdLength} characters, such as a UUID.`)
  if (!isUnit(unit)) return fault(`unit must be a text of 1 to ${maxUnitLength} characters.`)
  const at = timeOf(ts)
  if (at === undefined)
    return fault(
      'ts must be an ISO 8601 time with a zone, such as 2026-11-20T10:00:00.000Z, or milliseconds since 1970.',
    )
  const { envId } = arrival
  if (type === 'error') return thrown(told, { id: idOf(id), unit }, arrival)
  const time = clamped(at, arrival.receivedAt.getTime())
  if (type === 'order') return ordered(told.order, { envId, unit, at: time.at }, 'order')
  const stored = { envId, id: idOf(id), unit, ...time }
  return type === 'exposure' ? exposure(told, stored, arrival) : tracked(told, stored, arrival)
}

export const isFault = (read: NewEvent | NewOrder | ToldError | Fault): read is Fault => 'code' in read

type Common = Pick<NewEvent, 'envId' | 'id' | 'unit' | 'at' | 'clamped'>

/** The rule and the variation that an event names. */
function namedIn({ ruleId: ruleName, variationKey }: Record<string, unknown>, arrival: Arrival) {
  if (typeof ruleName !== 'string') return fault('ruleId must be the id of the rule in the data file, as a text.')
  if (typeof variationKey !== 'string') return fault('variationKey must be a text.')
  const rule = arrival.ruleNamed(ruleName)
  if (!rule)
    return {
      code: 'unknown_rule' as const,
      message: `ruleId ${shown(ruleName)} is not a rule of this environment.`,
    }
  const variationId = rule.variations.get(variationKey)
  if (variationId === undefined)
    return {
      code: 'unknown_variation' as const,
      message: `variationKey ${shown(variationKey)} is not a variation of the flag ${rule.flagKey}.`,
    }
  return { rule, ruleName, variationId, variationKey }
}

/** The code of a variation has thrown an error on a page. */
export interface ToldError {
  type: 'error'
  envId: string
  /** A UUID. */
  id: string
  unit: string
  /** What the data file calls the rule. */
  ruleName: string
  ruleId: string
  flagKey: string
  variationId: string
  variationKey: string
  /** Of the code that threw; null if the event does not say it. */
  codeVersion: string | null
  message: string
  /** Within the code, from 1; null if it is not known. */
  line: number | null
  isBot: boolean
}

export const maxErrorMessageLength = 200

function thrown(
  told: Record<string, unknown>,
  { id, unit }: Pick<ToldError, 'id' | 'unit'>,
  arrival: Arrival,
): ToldError | Fault {
  const { codeVersion = null, message, line = null } = told
  if (typeof message !== 'string') return fault('message must be a text.')
  if (line !== null && !(Number.isInteger(line) && (line as number) > 0))
    return fault('line must be a whole number from 1, or null.')
  if (codeVersion !== null && !isText(codeVersion, 8)) return fault('codeVersion must be a text of 8 characters.')
  const named = namedIn(told, arrival)
  if ('code' in named) return named
  const { rule, ruleName, variationId, variationKey } = named
  return {
    ...{ type: 'error', envId: arrival.envId, id, unit, ruleName, variationId, variationKey },
    ...{ ruleId: rule.ruleId, flagKey: rule.flagKey, codeVersion: codeVersion as string | null },
    message: shortMessage(message),
    ...{ line: line as number | null, isBot: kindOf(told.context, arrival) === eventKinds.bot },
  }
}

/** Pages can tell anything. A copy, because a part of a text keeps the whole of it in memory. */
const shortMessage = (message: string): string =>
  Buffer.from(message.slice(0, maxErrorMessageLength).replaceAll('\0', '')).toString() || 'Unknown error'

function exposure(told: Record<string, unknown>, common: Common, arrival: Arrival): NewEvent | Fault {
  const named = namedIn(told, arrival)
  if ('code' in named) return named
  const { rule, variationId } = named
  const { reason, context } = told
  const kind = reason === 'OVERRIDE' ? eventKinds.override : kindOf(context, arrival)
  const { ruleId } = rule
  return { ...common, type: 'exposure', ruleId, variationId, kind, dimensions: factsOf(context) }
}

/**
 * The properties of an order are its fields, so that every client that tracks can send orders. Of other properties, only
 * the product is read.
 */
function tracked(told: Record<string, unknown>, common: Common, arrival: Arrival): NewEvent | NewOrder | Fault {
  const { eventKey, value = null, context } = told
  if (!isText(eventKey, maxEventKeyLength))
    return fault(`eventKey must be a text of 1 to ${maxEventKeyLength} characters.`)
  if (eventKey === 'order') return ordered(told.properties, common, 'properties')
  if (isReserved(eventKey))
    return fault(`eventKey ${shown(eventKey)} is reserved: orders give these events by themselves.`)
  if (value !== null && !(typeof value === 'number' && Math.abs(value) <= maxValue))
    return fault(`value must be a number from -${maxValue} to ${maxValue}.`)
  const kind = kindOf(context, arrival)
  const counted = value !== null && Math.abs(value) < minValue ? 0 : value
  const productId = productIn(told.properties)
  return { ...common, type: 'track', eventKey, value: counted, kind, ...(productId !== undefined && { productId }) }
}

/** Properties can hold anything. An event with a product that cannot be one still counts. */
function productIn(properties: unknown): string | undefined {
  const text = isObject(properties) ? idText(properties.productId) : undefined
  return isText(text, maxItemIdLength) ? text : undefined
}

/** Bots are not looked for: exposures of bots do not count, so neither do their orders in results. */
function ordered(
  told: unknown,
  { envId, unit, at }: Pick<NewOrder, 'envId' | 'unit' | 'at'>,
  where: string,
): NewOrder | Fault {
  const order = readOrder(told, where)
  return 'code' in order ? order : { type: 'order', envId, unit, at, ...order }
}

function kindOf(context: unknown, { isBot, isBotAgent }: Arrival): Exclude<EventKind, 1> {
  if (isBot) return eventKinds.bot
  const userAgent = isObject(context) ? context.userAgent : undefined
  return typeof userAgent === 'string' && isBotAgent(userAgent) ? eventKinds.bot : eventKinds.counted
}

/**
 * A time that cannot be right is replaced by the time of arrival: the clock of the client is wrong. That is also true of
 * a clock that is a few minutes ahead: what servers report of the visitor meanwhile would come before the exposure.
 */
function clamped(at: number, receivedMs: number): { at: number; clamped: boolean } {
  const isRight = at <= receivedMs && at >= receivedMs - maxAgeMs
  return isRight ? { at, clamped: false } : { at: receivedMs, clamped: true }
}

/**
 * The texts, numbers and booleans of an object as JSON text. What is longer, or comes after the first 20, is left out:
 * a context can hold anything, and an event without it still counts.
 */
export function factsOf(value: unknown): string | null {
  if (!isObject(value)) return null
  let facts = ''
  let count = 0
  for (const name in value) {
    const fact = value[name]
    if (!isFact(fact) || !isText(name, maxFactName)) continue
    const written = typeof fact === 'string' ? quoted(fact) : JSON.stringify(inShort(fact))
    facts += `${count > 0 ? ',' : '{'}${quoted(name)}:${written}`
    count += 1
    if (count === maxFacts) break
  }
  return count > 0 ? `${facts}}` : null
}

/** Without a sign that JSON writes differently, as nearly always. */
const plain = /^[\w .:/@+-]*$/

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** The database would write 1e300 out, with all of its zeros. */
const inShort = (fact: unknown): unknown =>
  typeof fact === 'number' && String(fact).includes('e') ? String(fact) : fact

/** Whether events can be about it. */
export const isUnit = (unit: unknown): unit is string => isText(unit, maxUnitLength)

const isFact = (fact: unknown): boolean =>
  typeof fact === 'boolean' ||
  (typeof fact === 'number' && Number.isFinite(fact)) ||
  (typeof fact === 'string' && (fact === '' || isText(fact, maxFactLength)))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const timePattern = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)$/

function timeOf(ts: unknown): number | undefined {
  if (typeof ts === 'number') return Number.isFinite(ts) ? Math.floor(ts) : undefined
  if (typeof ts !== 'string' || ts.length > maxTimeLength) return undefined
  return usualTimeOf(ts) ?? anyTimeOf(ts)
}

/**
 * The time of a text as `toISOString` writes it, such as 2026-11-20T10:00:00.000Z, with a fifth of the work of
 * `anyTimeOf`. Undefined for others, and on 29 February.
 */
function usualTimeOf(ts: string): number | undefined {
  if (ts.length !== 24 || !hasUsualSigns(ts)) return undefined
  const year = digitsIn(ts, 0, 4)
  const [month, day] = [digitsIn(ts, 5, 7), digitsIn(ts, 8, 10)]
  const [hour, minute, second] = [digitsIn(ts, 11, 13), digitsIn(ts, 14, 16), digitsIn(ts, 17, 19)]
  const ms = digitsIn(ts, 20, 23)
  const isUsual =
    year >= 1000 && day >= 1 && day <= (shortestDays[month] ?? 0) && hour < 24 && minute < 60 && second < 60
  return isUsual && ms >= 0 ? Date.UTC(year, month - 1, day, hour, minute, second, ms) : undefined
}

/** By the number of the month. */
const shortestDays = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const hasUsualSigns = (ts: string): boolean =>
  ts[4] === '-' &&
  ts[7] === '-' &&
  ts[10] === 'T' &&
  ts[13] === ':' &&
  ts[16] === ':' &&
  ts[19] === '.' &&
  ts[23] === 'Z'

/** NaN if one is not a digit. */
function digitsIn(text: string, from: number, to: number): number {
  let number = 0
  for (let place = from; place < to; place += 1) {
    const digit = text.charCodeAt(place) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function anyTimeOf(ts: string): number | undefined {
  const [, year, month, day, time, zone] = timePattern.exec(ts) ?? []
  // JavaScript takes 30 February for 2 March.
  if (!zone || Number(day) > daysIn(Number(year), Number(month))) return undefined
  const at = Date.parse(
    `${year}-${month}-${day}${time}${zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(-2)}`}`,
  )
  return Number.isNaN(at) ? undefined : at
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()

const isEventType = (type: unknown): type is EventType => typeof type === 'string' && Object.hasOwn(plural, type)

const typeFault = (type: unknown): Fault => ({
  code: typeof type === 'string' ? 'unsupported_type' : 'validation_failed',
  message: 'type must be exposure, track, order or error.',
})

const plural: Record<EventType, string> = {
  exposure: 'Exposures',
  track: 'Tracked events',
  order: 'Orders',
  error: 'Errors',
}

const keyFault = (type: EventType): Fault => ({
  code: 'ingest_key_required',
  message: `${plural[type]} of this environment count only with an ingest key. Send them from a server, with the header "Authorization: Bearer svc_ing_…".`,
})

const maxShown = 60

/** A name in a message, cut if it is long. */
const shown = (name: string): string => JSON.stringify(name.length > maxShown ? `${name.slice(0, maxShown)}…` : name)
