import type { RawBuilder } from 'kysely'
import type { Tx } from '../../../platform/db/index.ts'

/** Events that count, and those that are stored only to be counted apart. */
export const eventKinds = { counted: 0, override: 1, bot: 2 } as const

export type EventKind = (typeof eventKinds)[keyof typeof eventKinds]

interface StoredEvent {
  envId: string
  /** Chosen by the client. An id counts once in its environment. */
  id: string
  /** Who or what the event is about: the visitor that a rule assigns to a variation. */
  unit: string
  /** Milliseconds since 1970. */
  at: number
  /** Whether the client's clock was wrong and `at` is the time of arrival instead. */
  clamped: boolean
}

/** A unit got a variation from a rule. */
export interface Exposure extends StoredEvent {
  type: 'exposure'
  ruleId: string
  variationId: string
  kind: EventKind
  /** An object of texts, numbers and booleans as JSON text; null if there are none. */
  dimensions: string | null
}

/** A unit did what metrics count. */
export interface TrackedEvent extends StoredEvent {
  type: 'track'
  eventKey: string
  value: number | null
  kind: Exclude<EventKind, typeof eventKinds.override>
  /** The product of the shop that it is about; absent if it is about none. */
  productId?: string
}

export type NewEvent = Exposure | TrackedEvent

/** Some of the events that were asked for, by batch: those of all batches up to the last one of the portion. */
export interface Portion {
  last: number
  /** About how many events it has. */
  size: number
  rows: Rows
}

/** A relation that statements in the main database can select from. */
export type Rows = RawBuilder<unknown>

/** After the batch `after` and up to the batch `through`. */
export interface Batches {
  after: number
  through: number
}

/** Units in some environments. */
export interface UnitsIn {
  envIds: readonly string[]
  units: readonly string[]
}

/** Tracked events that metrics count. */
export interface TrackedKeys {
  envId: string
  eventKeys: readonly string[]
}

/** What happened to products, in a time that ends before `until`, up to the batch `through`. */
export interface HappenedIn extends TrackedKeys {
  from: Date
  until: Date
  through: number
}

/** A unit did something with a product. */
export interface Happening {
  /** Null: nobody knows who placed the order. */
  unit: string | null
  eventKey: string
  /** Milliseconds since 1970. */
  at: number
  productId: string
  /** The shop’s id of the order that has the product; null for a tracked event. */
  orderId: string | null
}

/** Where snapshots read: events, and what orders give. */
export interface MeasuredEvents extends EventStore {
  /**
   * The next visitors whose orders have changed after they arrived: a relation with `unit`, each once. Undefined if there
   * are no more.
   */
  changedAfter(of: { envId: string }, batches: Batches): Promise<Portion | undefined>
}

/**
 * Where exposures and tracked events are kept. Ingestion appends and snapshots read. Rows have the number of their
 * batch; numbers grow, but batches become visible in a different order.
 */
export interface EventStore {
  /**
   * Appends events together, durably, and returns which of them are new. If it fails, repeat it: nothing counts twice.
   * In the main database, an event is not new, and not stored again, if its environment received its id in the last 7
   * days, on any node. In ClickHouse, only an id that is repeated in the batch is not new. Others are found when read.
   */
  append(events: readonly NewEvent[], receivedAt: Date): Promise<readonly boolean[]>
  /**
   * The number of the last batch up to which all batches are visible. Later batches have larger numbers, so a reader
   * that has read up to a position misses nothing if it continues from there.
   */
  position(): Promise<number>
  /**
   * The next exposures of a rule, of all kinds: `unit`, `kind`, `at`, `id`, `variation_id`, `dimensions`.
   * Undefined if there are no more. An id occurs once, in all portions.
   *
   * @param share of the usual size of a portion, for a reader that could not process a full portion
   */
  exposuresAfter(of: { envId: string; ruleId: string }, batches: Batches, share?: number): Promise<Portion | undefined>
  /** The next tracked events that count: `unit`, `event_key`, `at`, `value`. Otherwise like `exposuresAfter`. */
  trackedAfter(of: TrackedKeys, batches: Batches, share?: number): Promise<Portion | undefined>
  /**
   * What these units did, in the same columns as `trackedAfter`.
   *
   * @param units a relation with `unit`, each once, and `since`: earlier events do not matter
   * @param through the last batch that matters
   */
  trackedOfUnits(of: TrackedKeys, units: Rows, through: number): Promise<Rows>
  /**
   * What happened to products, in portions by batch: tracked events that count and name a product. The same question has
   * the same answer, in the same order, as long as the events are kept.
   */
  happened(of: HappenedIn): AsyncIterable<readonly Happening[]>
  /**
   * The number of a batch that this transaction of the main database writes elsewhere. Until it ends, `position` stays
   * before it.
   */
  numberIn(tx: Tx): Promise<number>
  /** The rules of these environments that have exposures of one of the units. It can be stopped. */
  rulesExposedTo(of: UnitsIn, signal: AbortSignal): Promise<string[]>
  /** Deletes all events of these units. If it is stopped or fails, repeat it. */
  deleteUnits(of: UnitsIn, signal: AbortSignal): Promise<void>
  /** Deletes what was received before this moment, by whole days. Returns how many days of a table were deleted. */
  deleteBefore(before: Date): Promise<number>
}
