import { type QueueWorker, queueWorker } from '../../../platform/queue/index.ts'
import {
  type Batch,
  claimBatches,
  deliveriesChannel,
  kindNames,
  kinds,
  lockDestinations,
  releaseAllBatches,
  releaseBatches,
  saveHealth,
  saveRefs,
  saveRest,
  settleDeliveries,
} from '../destinations/index.ts'
import { type BatchSettlement, batchKind, type SendingContext } from './sending.ts'

const folding = kindNames.filter((name) => kinds[name].folds)

/** The worker for all destinations besides webhooks. Every node runs one. */
export function integrationWorker(context: SendingContext): QueueWorker {
  const { database, settings, observe, now } = context
  const { db } = database
  return queueWorker({
    database,
    table: {
      channel: deliveriesChannel,
      laneOf: ({ destinationId }) => destinationId,
      async claim(claim) {
        const jobs = await claimBatches(db, claim, folding)
        // One at a time, so a lane is never filled up and nobody asks for more before its turn.
        return { jobs, share: 2 }
      },
      async settle(results) {
        for (const { job, settlement } of results) await settleBatch(context, job, settlement, { isTurn: true })
      },
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

/**
 * Writes the result of a batch with all that follows from it, in one transaction: what is known of its tickets, how long
 * the destination rests, and its health. One message that fails is one failure, however many events it tells.
 *
 * @param isTurn false for a test, which is sent between others and must not end their turn
 */
export async function settleBatch(
  { database, authorOf }: Pick<SendingContext, 'database' | 'authorOf'>,
  { destinationId, deliveries }: Batch,
  settlement: BatchSettlement,
  { isTurn }: { isTurn: boolean },
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    const [destination] = await lockDestinations(tx, [destinationId])
    const written = await settleDeliveries(tx, settlement.deliveries)
    if (!destination || written.size === 0) return
    await saveRefs(tx, destinationId, settlement.refs)
    if (isTurn) await saveRest(tx, destinationId, settlement.rest)
    const isTest = deliveries.every((each) => each.isTest)
    await saveHealth(tx, authorOf, destination, [{ status: settlement.status, isTest }])
  })
}
