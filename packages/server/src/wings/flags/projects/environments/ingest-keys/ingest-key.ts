import { type Refusal, refuse } from '../../../../../catalogue/refusals.ts'
import type { IngestKeyRequirement } from '../../../../model/environments/index.ts'

/** One that servers use, and one that they move to. */
export const maxIngestKeys = 2

export function refusesAnother(environment: string, count: number): Refusal | undefined {
  if (count < maxIngestKeys) return undefined
  const message = `${environment} has ${count} ingest keys, which is the maximum. Revoke one of them first.`
  return refuse('invalid_state', message, { current: count })
}

/** Without a key, no event could have one. */
export function refusesRequirement(
  environment: string,
  requiredFor: IngestKeyRequirement,
  count: number,
): Refusal | undefined {
  if (requiredFor === 'NONE' || count > 0) return undefined
  const message = `${environment} has no ingest key, so all of these events would be rejected. Create a key, give it to your servers, and then require it.`
  return refuse('invalid_state', message, { current: count })
}

export function refusesRevocation(
  environment: string,
  requiredFor: IngestKeyRequirement,
  count: number,
): Refusal | undefined {
  if (requiredFor === 'NONE' || count > 1) return undefined
  const message = `This is the only ingest key of ${environment}, and ${requiredFor === 'ALL' ? 'all events' : 'tracked events'} need one. Create a second key and move your servers to it, or set ingestKeyRequiredFor to NONE, and then revoke this one.`
  return refuse('invalid_state', message, { current: count })
}
