import { z } from 'zod'
import { isRefusal } from '../../../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../../../http/credentials.ts'
import { type Cursors, pageQuery, rowsAfter } from '../../../../../http/page.ts'
import type { Route } from '../../../../../http/route.ts'
import type { OneOf } from '../../../../../nouns/index.ts'
import type { Db } from '../../../../../platform/db/index.ts'
import { type SdkKey, sdkKeysOf } from '../../../../model/environments/index.ts'
import type { DataFileStore } from '../../../../serving/datafile/index.ts'
import { type KeyClient, keyClients, type Usage } from '../../../../serving/heartbeat/index.ts'
import { environments } from '../actions.ts'
import type { Environment } from '../queries.ts'
import { createSdkKey, keyNamed, revokeSdkKey } from './actions.ts'
import { sdkKeyParams, sdkKeySchema } from './schema.ts'
import { maxSdkKeys } from './sdk-key.ts'

interface Context {
  one: OneOf<Environment>
  /** The address of an environment. */
  url: string
  db: Db
  cursors: Cursors
  now: () => Date
  store: DataFileStore
  usage: Usage
}

/** How long the database remembers heartbeats. */
const clientsWindowMs = 86_400_000

/** The SDK keys of an environment. A second one lets its clients move before the first one is revoked. */
export function sdkKeyRoutes(route: Route, { one, url, db, cursors, now, store, usage }: Context): void {
  const present = presenting({ db, now })
  route({
    ...one,
    method: 'GET',
    url: `${url}/sdk-keys`,
    operationId: 'listSdkKeys',
    summary: 'List the SDK keys of an environment',
    description:
      'Newest first, with their last use and the SDKs that use them. The answer has the ETag of the environment.',
    scope: 'projects:read',
    query: pageQuery,
    data: sdkKeySchema.array(),
    paged: true,
    etag: true,
    async handle({ caller, found, query }) {
      const { id: envId } = found
      // What this node has noted counts too. If it cannot be stored now, it is tried again later.
      await usage.flushUses().catch(() => undefined)
      const keys = await sdkKeysOf(db, envId)
      const list = ['sdk keys', caller.organization.id, envId]
      const page = await cursors.list(query, list, rowsAfter(keys), (rows) => present(envId, rows, keys))
      return isRefusal(page) ? page : { ...page, etag: environments.etag(found) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/sdk-keys`,
    operationId: 'createSdkKey',
    summary: 'Create a second SDK key',
    description: `Both keys work until you revoke one. An environment can have up to ${maxSdkKeys}. The new key is the \`sdkKey\` of the environment. \`X-Svc-If-Match\` takes the ETag of the environment, which the answer has too.`,
    scope: 'projects:write',
    status: 201,
    data: sdkKeySchema,
    etag: true,
    conditional: true,
    async handle({ caller, found: { id: envId }, by, ifMatch }) {
      const made = await createSdkKey({ db, store }, by, ifMatch, { orgId: caller.organization.id, envId })
      if (isRefusal(made)) return made
      const [data] = await present(envId, [made.created], made.keys)
      return { data: data!, etag: environments.etag(made.environment) }
    },
  })

  route({
    ...one,
    params: sdkKeyParams,
    async find(params: { projectId: string; envId: string; sdkKeyId: string }, caller: InOrganization) {
      const environment = await one.find(params, caller)
      return environment && keyNamed(await sdkKeysOf(db, environment.id), params.sdkKeyId) ? environment : undefined
    },
    method: 'DELETE',
    url: `${url}/sdk-keys/:sdkKeyId`,
    operationId: 'revokeSdkKey',
    summary: 'Revoke an SDK key',
    description:
      'The key becomes unknown at once: requests with it are refused, and its streams end. The address takes the id of the key, or the key. The last key of an environment cannot be revoked: create a second one first. `X-Svc-If-Match` takes the ETag of the environment.',
    scope: 'projects:write',
    data: z.null(),
    conditional: true,
    async handle({ caller, found: { id: envId }, params: { sdkKeyId: named }, by, ifMatch }) {
      const revoked = await revokeSdkKey({ db, store }, by, ifMatch, { orgId: caller.organization.id, envId, named })
      return isRefusal(revoked) ? revoked : { data: null }
    },
  })
}

function presenting({ db, now }: Pick<Context, 'db' | 'now'>) {
  return async (envId: string, shown: readonly SdkKey[], all: readonly SdkKey[]) => {
    const clients = await keyClients(db, envId, new Date(now().getTime() - clientsWindowMs))
    return shown.map((key) =>
      presentSdkKey(
        key,
        key === all[0],
        clients.filter(({ keyId }) => keyId === key.id),
      ),
    )
  }
}

function presentSdkKey(
  { id, key, createdAt, createdBy, uses: lastUses }: SdkKey,
  newest: boolean,
  clients: readonly KeyClient[],
): z.input<typeof sdkKeySchema> {
  const uses = Object.entries(lastUses)
    .map(([use, lastUsedAt]) => ({ use: use as keyof typeof lastUses, lastUsedAt }))
    .sort((one, other) => (one.lastUsedAt > other.lastUsedAt ? -1 : 1))
  return {
    id,
    key,
    newest,
    createdAt: createdAt.toISOString(),
    createdBy,
    lastUsedAt: uses[0]?.lastUsedAt ?? null,
    uses,
    clients: clients.map(({ type, version, instances, lastSeenAt }) => ({
      ...{ type, version, instances },
      lastSeenAt: lastSeenAt.toISOString(),
    })),
  }
}
