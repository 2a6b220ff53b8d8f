import { notFound, type Refusal } from '../../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../../http/etag.ts'
import { newId, newSdkKey } from '../../../../../platform/ids.ts'
import type { Author } from '../../../../../platform/outbox.ts'
import { deleteSdkKey, insertSdkKey, type SdkKey, sdkKeysOf } from '../../../../model/environments/index.ts'
import { forgetKey } from '../../../../serving/heartbeat/index.ts'
import { changeKeys, environments, type KeyContext } from '../actions.ts'
import type { Environment } from '../queries.ts'
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

export function createSdkKey(
  context: KeyContext,
  by: Author,
  ifMatch: IfMatch,
  place: Place,
): Promise<(Changed & { created: SdkKey }) | Refusal> {
  return changeKeys(context, place.envId, async (tx, environment) => {
    const before = await sdkKeysOf(tx, environment.id)
    const refusal = ifMatch(environments.etag(environment)) ?? refusesAnother(environment.name, before.length)
    if (refusal) return refusal
    const sdkKey = { id: newId(), key: newSdkKey() }
    const version = environment.version + 1
    await insertSdkKey(tx, { envId: environment.id, version }, sdkKey, by)
    await by.record(tx, {
      ...about(environment, place),
      action: 'environment.create_sdk_key',
      after: { sdkKey },
      events: [{ name: 'environment.sdk_key_created', payload: payloadOf(environment, sdkKey) }],
    })
    const keys = await sdkKeysOf(tx, environment.id)
    return { environment: { id: environment.id, version }, keys, created: keys[0]! }
  })
}

/** @param named the id of the key, or the key */
export function revokeSdkKey(
  context: KeyContext,
  by: Author,
  ifMatch: IfMatch,
  { named, ...place }: Place & { named: string },
): Promise<Changed | Refusal> {
  return changeKeys(context, place.envId, async (tx, environment) => {
    const before = await sdkKeysOf(tx, environment.id)
    const found = keyNamed(before, named)
    if (!found) return notFound('SDK key')
    const refusal = ifMatch(environments.etag(environment)) ?? refusesRevocation(environment.name, before.length)
    if (refusal) return refusal
    const keys = before.filter((each) => each !== found)
    const version = environment.version + 1
    await deleteSdkKey(tx, { envId: environment.id, version, left: keys[0]!.key }, found.id, by)
    await forgetKey(tx, environment.id, found.id)
    const sdkKey = { id: found.id, key: found.key }
    await by.record(tx, {
      ...about(environment, place),
      action: 'environment.revoke_sdk_key',
      before: { sdkKey },
      events: [{ name: 'environment.sdk_key_revoked', payload: payloadOf(environment, sdkKey) }],
    })
    return { environment: { id: environment.id, version }, keys }
  })
}

export const keyNamed = (keys: readonly SdkKey[], named: string): SdkKey | undefined =>
  keys.find(({ id, key }) => id === named || key === named)

const about = ({ id, projectId, name }: Environment, { orgId }: Place) => ({
  ...{ orgId, projectId },
  object: { type: 'environment' as const, id, name },
})
const payloadOf = ({ id, name }: Environment, sdkKey: Pick<SdkKey, 'id' | 'key'>) => ({
  environment: { id, name },
  sdkKey,
})
