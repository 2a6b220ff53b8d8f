import { type Attempted, leaseEnd, type QueueWorker, queueWorker } from '../../../platform/queue/index.ts'
import {
  type Batch,
  claimBatches,
  deliveriesChannel,
  outcomesOf,
  releaseAllBatches,
  releaseBatches,
  settleDeliveries,
} from '../deliveries/index.ts'
import { kindNames, kinds, lockDestinations, type Rest, saveHealth, saveRests } from '../destinations/index.ts'
import { saveRefs } from '../tickets/index.ts'
import { type BatchAnswer, type BatchSettlement, batchKind, type SendingContext } from './sending.ts'

const folding = kindNames.filter((name) => kinds[name].folds)

/** The worker for all destinations besides webhooks. Every node runs one. */
export function integrationWorker(context: SendingContext): QueueWorker {
  const { database, settings, mailer, observe, now } = context
  const { db } = database
  return queueWorker({
    database,
    table: {
      channel: deliveriesChannel,
      laneOf: ({ destinationId }) => destinationId,
      async claim(claim) {
        const mailUntil = leaseEnd(claim.now, mailer?.timeoutMs ?? settings.timeoutMs)
        const jobs = await claimBatches(db, { ...claim, folds: folding, mailUntil })
        // Each destination takes one at a time, so no lane fills up or asks for more before its turn.
        return { jobs, share: 2 }
      },
      settle: (results) => settleBatches(context, results, { isTurn: true }),
      release: (batches, at) => releaseBatches(db, batches, at),
      releaseAll: (at) => releaseAllBatches(db, at),
    },
    kind: batchKind(context),
    timeoutMs: settings.timeoutMs,
    observe: {
      attempted: (attempted) => observeBatch(context, attempted),
      failed: observe.failed,
    },
    now,
  })
}

/** A line and a count for each delivery of a batch. */
export function observeBatch(
  { observe }: SendingContext,
  {
    job,
    answer,
    settlement,
  }: { job: Batch; answer: Parameters<typeof observe.attempted>[0]['answer']; settlement: BatchSettlement },
): void {
  for (const [index, each] of settlement.deliveries.entries())
    observe.attempted({ job: job.deliveries[index]!, answer, settlement: each })
}

/** A batch and what came of it. */
export type SettledBatch = Pick<Attempted<Batch, BatchAnswer, BatchSettlement>, 'job' | 'settlement'>

/**
 * Writes the results of batches with all that follows from them, in one transaction: what is known of tickets, how long
 * the destinations rest, and their health. One message that fails is one failure, however many events it contains.
 *
 * @param isTurn false for a test, which is sent between others and must not end their turn
 */
export async function settleBatches(
  { database, authorOf }: Pick<SendingContext, 'database' | 'authorOf'>,
  settled: readonly SettledBatch[],
  { isTurn }: { isTurn: boolean },
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    const destinations = await lockDestinations(tx, [...new Set(settled.map(({ job }) => job.destinationId))])
    const written = await settleDeliveries(
      tx,
      settled.flatMap(({ settlement }) => settlement.deliveries),
    )
    const rests = new Map<string, Rest>()
    for (const destination of destinations) {
      const own = settled.filter(
        ({ job, settlement }) =>
          job.destinationId === destination.id && settlement.deliveries.some(({ id }) => written.has(id)),
      )
      for (const { settlement } of own) {
        await saveRefs(tx, destination.id, settlement.refs)
        rests.set(destination.id, settlement.rest)
      }
      const outcomes = own
        .filter(({ settlement }) => settlement.counts)
        .map(({ job, settlement }) => ({
          status: settlement.status,
          isTest: job.deliveries.every((each) => each.isTest),
        }))
      if (own.length > 0) await saveHealth(tx, authorOf, destination, outcomesOf(outcomes))
    }
    if (isTurn) await saveRests(tx, rests)
  })
}
