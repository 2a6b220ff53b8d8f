import type { IngestKeyRequirement } from '../../../model/environments/index.ts'

/** Whether an event of this type counts only with an ingest key. */
export const needsIngestKey = (type: 'exposure' | 'track', requiredFor: IngestKeyRequirement): boolean =>
  requiredFor === 'ALL' || (requiredFor === 'TRACKED_EVENTS' && type === 'track')

/**
 * The ingest key that a request brings in its header `Authorization`, well-formed or not. Undefined for other
 * credentials, such as those of a proxy in front of the service. A token of the API is a mistake that is answered like
 * an unknown key.
 */
export const ingestKeyIn = (authorization: string | undefined): string | undefined =>
  /^Bearer +(svc_\S*) *$/i.exec(authorization ?? '')?.[1]
