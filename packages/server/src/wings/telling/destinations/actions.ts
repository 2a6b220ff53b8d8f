import type { Db, Tx } from '../../../platform/db/index.ts'
import { type Authors, systemActor } from '../../../platform/outbox.ts'
import type { Readability, Seal } from '../../../platform/seal.ts'
import { disableReason, healthAfter, type Outcome } from './health.ts'
import { type Destination, saveDisabled, saveFailures, sealedSecrets } from './queries.ts'

/** How many of the newest secrets are sealed, and how many of them this key cannot open. */
export async function unreadableSecrets(db: Db, seal: Seal, limit: number): Promise<Readability> {
  const secrets = await sealedSecrets(db, limit)
  const unreadable = secrets.filter(({ id, sealed }) => !seal.opens(sealed, id))
  return { sealed: secrets.length, unreadable: unreadable.length }
}

/** Counts the failures of a destination that the caller has locked, and disables it after too many. */
export async function saveHealth(
  tx: Tx,
  authorOf: Authors,
  destination: Destination,
  outcomes: readonly Outcome[],
): Promise<void> {
  const { id, kind, name, orgId, projectId, user, enabled, consecutiveFailures } = destination
  const health = healthAfter(destination, outcomes)
  if (enabled === health.enabled) {
    if (health.consecutiveFailures !== consecutiveFailures) await saveFailures(tx, id, health.consecutiveFailures)
    return
  }
  const type = kind === 'WEBHOOK' ? 'webhook' : 'destination'
  const author = authorOf(systemActor(`${type} deliveries`))
  await saveDisabled(tx, { id, consecutiveFailures: health.consecutiveFailures }, disableReason, author.now)
  const change = { orgId, projectId, after: { enabled: false, disableReason } }
  const after = { id, name, enabled: false }
  if (user)
    await author.record(tx, {
      orgId,
      projectId: null,
      action: 'user.mail_change',
      object: { type: 'user', ...user },
      after: { projectId, enabled: false, disableReason },
    })
  else if (type === 'webhook')
    await author.record(tx, {
      ...change,
      action: 'webhook.disable',
      object: { type, id, name },
      events: [{ name: 'webhook.disabled', payload: { webhook: after, reason: disableReason } }],
    })
  else
    await author.record(tx, {
      ...change,
      action: 'destination.disable',
      object: { type, id, name },
      events: [{ name: 'destination.disabled', payload: { destination: { ...after, kind }, reason: disableReason } }],
    })
}
