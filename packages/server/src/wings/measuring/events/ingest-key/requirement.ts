import type { IngestKeyRequirement } from '../../../model/environments/index.ts'

/** What an event tells. */
export type EventType = 'exposure' | 'track' | 'order' | 'error'

/** Whether an event of this type counts only with an ingest key. Orders are what visitors do, as tracked events are. */
export const needsIngestKey = (type: EventType, requiredFor: IngestKeyRequirement): boolean =>
  requiredFor === 'ALL' || (requiredFor === 'TRACKED_EVENTS' && (type === 'track' || type === 'order'))

/**
 * The ingest key that a request brings in its header `Authorization`, well-formed or not. Undefined for other
 * credentials, such as those of a proxy in front of the service, or a token of the API: events never needed one, and
 * programs that send one with every request go on to work.
 */
export const ingestKeyIn = (authorization: string | undefined): string | undefined =>
  /^Bearer +(svc_ing_\S*) *$/i.exec(authorization ?? '')?.[1]
