import { isRefusal, notFound, type Refusal } from '../../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../../http/etag.ts'
import type { Db, Tx } from '../../../../../platform/db/index.ts'
import { newId, newSdkKey } from '../../../../../platform/ids.ts'
import type { Author } from '../../../../../platform/outbox.ts'
import { afterCommit, inTransaction } from '../../../../../platform/transaction.ts'
import { deleteSdkKey, insertSdkKey, type SdkKey, sdkKeysOf } from '../../../../model/environments/index.ts'
import { type DataFileStore, notifyChanged } from '../../../../serving/datafile/index.ts'
import { forgetKey } from '../../../../serving/heartbeat/index.ts'
import { environments } from '../actions.ts'
import { type Environment, environmentQueries } from '../queries.ts'
import { refusesAnother, refusesRevocation } from './sdk-key.ts'

interface Place {
  orgId: string
  envId: string
}

/** An environment after a change of its SDK keys. */
interface Changed {
  environment: Pick<Environment, 'id' | 'version'>
  /** Newest first. */
  keys: SdkKey[]
}

/** Two callers at a time wait for the lock of the environment, so only one of them adds a key. */
export function createSdkKey(
  { db, store }: { db: Db; store: DataFileStore },
  by: Author,
  ifMatch: IfMatch,
  { orgId, envId }: Place,
): Promise<(Changed & { created: SdkKey }) | Refusal> {
  return changed(store, db, async (tx) => {
    const environment = await environmentQueries.lock(tx, envId)
    if (!environment) return notFound('Environment')
    const keys = await sdkKeysOf(tx, envId)
    const refusal = ifMatch(environments.etag(environment)) ?? refusesAnother(environment.name, keys.length)
    if (refusal) return refusal
    const made = { id: newId(), key: newSdkKey() }
    const version = environment.version + 1
    await insertSdkKey(tx, { envId, version }, made, by)
    await notifyChanged(tx, envId)
    const { projectId, name } = environment
    await by.record(tx, {
      orgId,
      projectId,
      action: 'environment.create_sdk_key',
      object: { type: 'environment', id: envId, name },
      after: { sdkKey: made },
      events: [{ name: 'environment.sdk_key_created', payload: { environment: { id: envId, name }, sdkKey: made } }],
    })
    const now = await sdkKeysOf(tx, envId)
    return { environment: { id: envId, version }, keys: now, created: now[0]! }
  })
}

/** @param named the id of the key, or the key */
export function revokeSdkKey(
  { db, store }: { db: Db; store: DataFileStore },
  by: Author,
  ifMatch: IfMatch,
  { orgId, envId, named }: Place & { named: string },
): Promise<Changed | Refusal> {
  return changed(store, db, async (tx) => {
    const environment = await environmentQueries.lock(tx, envId)
    if (!environment) return notFound('Environment')
    const keys = await sdkKeysOf(tx, envId)
    const key = keyNamed(keys, named)
    if (!key) return notFound('SDK key')
    const refusal = ifMatch(environments.etag(environment)) ?? refusesRevocation(environment.name, keys.length)
    if (refusal) return refusal
    const left = keys.filter(({ id }) => id !== key.id)
    const version = environment.version + 1
    await deleteSdkKey(tx, { envId, version, left: left[0]!.key }, key.id, by)
    await forgetKey(tx, envId, key.id)
    await notifyChanged(tx, envId)
    const { projectId, name } = environment
    const sdkKey = { id: key.id, key: key.key }
    await by.record(tx, {
      orgId,
      projectId,
      action: 'environment.revoke_sdk_key',
      object: { type: 'environment', id: envId, name },
      before: { sdkKey },
      events: [{ name: 'environment.sdk_key_revoked', payload: { environment: { id: envId, name }, sdkKey } }],
    })
    return { environment: { id: envId, version }, keys: left }
  })
}

export const keyNamed = (keys: readonly SdkKey[], named: string): SdkKey | undefined =>
  keys.find(({ id, key }) => id === named || key === named)

/** On this node, the keys count before the call answers. Other nodes follow when they are notified. */
async function changed<Result extends Changed>(
  store: DataFileStore,
  db: Db,
  work: (tx: Tx) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const result = await inTransaction(db, work)
  if (isRefusal(result)) return result
  const { environment, keys } = result
  afterCommit(() =>
    store.keep({ envId: environment.id, version: environment.version, sdkKeys: keys.map(({ key }) => key) }),
  )
  return result
}
