import { isRefusal, notFound, type Refusal } from '../../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../../http/etag.ts'
import type { Db } from '../../../../../platform/db/index.ts'
import { newId, newIngestSecret } from '../../../../../platform/ids.ts'
import type { Author } from '../../../../../platform/outbox.ts'
import { deleteIngestKey, type IngestKey, ingestKeysOf, insertIngestKey } from '../../../../model/environments/index.ts'
import { hashOf } from '../../../../people/tokens/index.ts'
import { changeKeys, environments, type KeyContext } from '../actions.ts'
import type { Environment } from '../queries.ts'
import { refusesAnother, refusesRevocation } from './ingest-key.ts'

interface Place {
  orgId: string
  envId: string
}

interface Created {
  environment: Pick<Environment, 'id' | 'version'>
  key: IngestKey
  secret: string
}

const shownCharacters = 4

export function createIngestKey(
  context: KeyContext,
  by: Author,
  ifMatch: IfMatch,
  place: Place,
): Promise<Created | Refusal> {
  return changeKeys(context, place.envId, async (tx, environment) => {
    const before = await ingestKeysOf(tx, environment.id)
    const refusal = ifMatch(environments.etag(environment)) ?? refusesAnother(environment.name, before.length)
    if (refusal) return refusal
    const secret = newIngestSecret()
    const ingestKey = { id: newId(), lastCharacters: secret.slice(-shownCharacters) }
    const version = environment.version + 1
    await insertIngestKey(tx, { envId: environment.id, version }, { ...ingestKey, secretHash: hashOf(secret) }, by)
    await by.record(tx, {
      ...about(environment, place),
      action: 'environment.create_ingest_key',
      after: { ingestKey },
      events: [{ name: 'environment.ingest_key_created', payload: payloadOf(environment, ingestKey) }],
    })
    const key = (await ingestKeysOf(tx, environment.id)).find(({ id }) => id === ingestKey.id)!
    return { environment: { id: environment.id, version }, key, secret }
  })
}

export async function revokeIngestKey(
  context: KeyContext,
  by: Author,
  ifMatch: IfMatch,
  { keyId, ...place }: Place & { keyId: string },
): Promise<null | Refusal> {
  const revoked = await changeKeys(context, place.envId, async (tx, environment) => {
    const keys = await ingestKeysOf(tx, environment.id)
    const found = keys.find(({ id }) => id === keyId)
    if (!found) return notFound('Ingest key')
    const { name, ingestKeyRequiredFor } = environment
    const refusal =
      ifMatch(environments.etag(environment)) ?? refusesRevocation(name, ingestKeyRequiredFor, keys.length)
    if (refusal) return refusal
    await deleteIngestKey(tx, { envId: environment.id, version: environment.version + 1 }, found.id, by)
    const ingestKey = { id: found.id, lastCharacters: found.lastCharacters }
    await by.record(tx, {
      ...about(environment, place),
      action: 'environment.revoke_ingest_key',
      before: { ingestKey },
      events: [{ name: 'environment.ingest_key_revoked', payload: payloadOf(environment, ingestKey) }],
    })
    return found
  })
  return isRefusal(revoked) ? revoked : null
}

export async function hasIngestKey(db: Db, envId: string, keyId: string): Promise<boolean> {
  return (await ingestKeysOf(db, envId)).some(({ id }) => id === keyId)
}

const about = ({ id, projectId, name }: Environment, { orgId }: Place) => ({
  ...{ orgId, projectId },
  object: { type: 'environment' as const, id, name },
})
const payloadOf = ({ id, name }: Environment, ingestKey: Pick<IngestKey, 'id' | 'lastCharacters'>) => ({
  environment: { id, name },
  ingestKey,
})
