import type { Job } from './kind.ts'
import type { Claimed, Demand, Lanes } from './lanes.ts'
import { leaseEnd } from './lease.ts'

/** How much a claim can take, and until when it belongs to the worker. */
export interface Claim extends Demand {
  now: Date
  leaseUntil: Date
}

/** Claims as much as the lanes have room for. Returns false if they have none. */
export async function claimInto<J extends Job>(
  held: Lanes<J>,
  take: (claim: Claim) => Promise<Claimed<J>>,
  now: Date,
  timeoutMs: number,
): Promise<boolean> {
  const demand = held.demand()
  if (demand.total <= 0) return false
  held.add(await take({ ...demand, now, leaseUntil: leaseEnd(now, timeoutMs) }), demand)
  return true
}
