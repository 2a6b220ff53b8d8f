import { z } from 'zod'
import { isRefusal } from '../../../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../../../http/credentials.ts'
import { type Cursors, pageQuery, rowsAfter } from '../../../../../http/page.ts'
import type { Route } from '../../../../../http/route.ts'
import type { OneOf } from '../../../../../nouns/index.ts'
import { type IngestKey, ingestKeysOf } from '../../../../model/environments/index.ts'
import type { Usage } from '../../../../serving/heartbeat/index.ts'
import { environments, type KeyContext } from '../actions.ts'
import type { Environment } from '../queries.ts'
import { createIngestKey, hasIngestKey, revokeIngestKey } from './actions.ts'
import { maxIngestKeys } from './ingest-key.ts'
import { createdIngestKeySchema, ingestKeyParams, ingestKeySchema } from './schema.ts'

interface Context extends KeyContext {
  one: OneOf<Environment>
  /** The address of an environment. */
  url: string
  cursors: Cursors
  usage: Usage
}

/** The secret keys with which servers send events to an environment. */
export function ingestKeyRoutes(route: Route, { one, url, db, store, cursors, usage }: Context): void {
  route({
    ...one,
    method: 'GET',
    url: `${url}/ingest-keys`,
    operationId: 'listIngestKeys',
    summary: 'List the ingest keys of an environment',
    description:
      'Newest first, with their last use and without the keys themselves. The answer has the ETag of the environment.',
    scope: 'projects:read',
    query: pageQuery,
    data: ingestKeySchema.array(),
    paged: true,
    etag: true,
    async handle({ caller, found, query }) {
      // What this node has noted counts too. If it cannot be stored now, it is tried again later.
      await usage.flushUses().catch(() => undefined)
      const keys = await ingestKeysOf(db, found.id)
      const list = ['ingest keys', caller.organization.id, found.id]
      const page = await cursors.list(query, list, rowsAfter(keys), (rows) => rows.map(presentIngestKey))
      return isRefusal(page) ? page : { ...page, etag: environments.etag(found) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/ingest-keys`,
    operationId: 'createIngestKey',
    summary: 'Create an ingest key',
    description: `Servers send events with it; it must never be in a page. Only this answer contains the key. An environment can have up to ${maxIngestKeys}, which both work. Events count without a key until \`ingestKeyRequiredFor\` of the environment says otherwise. \`X-Svc-If-Match\` takes the ETag of the environment, which the answer has too.`,
    scope: 'projects:write',
    status: 201,
    data: createdIngestKeySchema,
    etag: true,
    conditional: true,
    async handle({ caller, found: { id: envId }, by, ifMatch }) {
      const made = await createIngestKey({ db, store }, by, ifMatch, { orgId: caller.organization.id, envId })
      if (isRefusal(made)) return made
      const { key, secret, environment } = made
      return { data: { ...presentIngestKey(key), secret }, etag: environments.etag(environment) }
    },
  })

  route({
    ...one,
    params: ingestKeyParams,
    async find(params: { projectId: string; envId: string; ingestKeyId: string }, caller: InOrganization) {
      const environment = await one.find(params, caller)
      return environment && (await hasIngestKey(db, environment.id, params.ingestKeyId)) ? environment : undefined
    },
    method: 'DELETE',
    url: `${url}/ingest-keys/:ingestKeyId`,
    operationId: 'revokeIngestKey',
    summary: 'Revoke an ingest key',
    description:
      'Batches of events with it are refused with 401 at once. The only key of an environment cannot be revoked while events need one: create a second key first, or set `ingestKeyRequiredFor` to `NONE`. `X-Svc-If-Match` takes the ETag of the environment.',
    scope: 'projects:write',
    data: z.null(),
    conditional: true,
    async handle({ caller, found: { id: envId }, params: { ingestKeyId: keyId }, by, ifMatch }) {
      const place = { orgId: caller.organization.id, envId, keyId }
      const revoked = await revokeIngestKey({ db, store }, by, ifMatch, place)
      return isRefusal(revoked) ? revoked : { data: null }
    },
  })
}

const presentIngestKey = ({ createdAt, lastUsedAt, ...key }: IngestKey): z.input<typeof ingestKeySchema> => ({
  ...key,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
