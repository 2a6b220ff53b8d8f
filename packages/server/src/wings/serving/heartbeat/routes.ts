import type { FastifyInstance } from 'fastify'
import { invalid, notFound } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { sdkOperation } from '../../../http/openapi/operation.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { acceptFromSdks, describedFailures, type SdkAddress } from '../../../http/sdk-post.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OpenRoom } from '../../../platform/held.ts'
import { issueTexts } from '../../../platform/issue-text.ts'
import type { DataFileStore } from '../datafile/index.ts'
import { beatIntervalMs, type Usage } from './actions.ts'
import { type Client, clientsOf } from './clients.ts'
import { maxInstances, propagationOf } from './propagation.ts'
import { findEnvironmentId, findInstances, findPublishedAt } from './queries.ts'
import {
  clientSchema,
  clientsQuery,
  describedHeartbeat,
  heartbeatAnswer,
  heartbeatBody,
  heartbeatError,
  propagationQuery,
  propagationSchema,
} from './schema.ts'

interface Context {
  store: DataFileStore
  usage: Usage
  openRoom: OpenRoom
  isUnavailable: (error: unknown) => boolean
}

const maxBeatBytes = 65_536
/** The limit per address. Thousands of instances can share an address, and SDK keys are public. */
const beatsPerMinute = 6_000

/** This route is older than the versioned API: it answers `{ success: true }` without an envelope. */
export function heartbeatRoutes(app: FastifyInstance, { store, usage, openRoom, isUnavailable }: Context): void {
  const handle: SdkAddress['handle'] = async (request, reply) => {
    const beat = heartbeatBody.safeParse(request.body)
    if (!beat.success)
      return reply.code(400).send({ error: issueTexts(beat.error.issues, request.body, 'The body')[0] })
    const { sdkKey, sdkType, sdkVersion, instanceId = '', revision = null, evaluatedFlags } = beat.data
    const environment = await store.find(sdkKey)
    if (!environment) return reply.code(401).send({ error: 'Unknown SDK key' })
    const { envId } = environment
    usage.used(sdkKey, 'HEARTBEAT')
    await usage.serves(envId, { sdkType, sdkVersion, instanceId, revision }, sdkKey)
    await usage.evaluated(envId, evaluatedFlags)
    return { success: true }
  }
  acceptFromSdks(app, {
    addresses: [{ url: '/api/sdk/heartbeat', described: heartbeatOperation, handle }],
    what: 'heartbeats',
    maxBytes: maxBeatBytes,
    perMinute: beatsPerMinute,
    openRoom,
    retryAfterSeconds: beatIntervalMs / 1000,
    isUnavailable,
  })
}

/** Shows which instances serve which revision, according to their heartbeats. */
export function propagationRoutes(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/environments/:envId/propagation',
    operationId: 'getPropagation',
    summary: 'Get the propagation of a revision',
    description:
      'Shows which SDK instances serve the revision or a later one, according to their heartbeats, and how long that took.',
    tag: 'Environment',
    scope: 'projects:read',
    params: { projectId: idField, envId: idField },
    query: propagationQuery,
    data: propagationSchema,
    find: (params: { projectId: string; envId: string }, caller: InOrganization) =>
      findEnvironmentId(db, caller.organization.id, params),
    async handle({ found: { envId }, query }) {
      const standing = await findInstances(db, envId)
      if (!standing) return notFound('Environment')
      const { currentRevision, instances } = standing
      const { revision = currentRevision } = query
      if (revision > currentRevision)
        return invalid({
          path: ['revision'],
          message: `The revision does not exist yet: the environment is at revision ${currentRevision}.`,
        })
      const publishedAt = await findPublishedAt(db, envId, revision)
      return { data: propagationOf({ envId, revision, publishedAt }, currentRevision, instances, now()) }
    },
  })
}

/** Lists the SDK instances that are known by their heartbeats. */
export function clientRoutes(route: Route, { db, cursors, now }: { db: Db; cursors: Cursors; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/environments/:envId/clients',
    operationId: 'listClients',
    summary: 'List clients',
    description: `Lists the SDK instances that sent a heartbeat in the last day, at most ${maxInstances}. Clients that are behind come first, then silent, unknown and current clients, each group by type, version and id. A client whose state changes between two pages can be missing or occur twice.`,
    tag: 'Environment',
    scope: 'flags:read',
    params: { projectId: idField, envId: idField },
    query: { ...pageQuery, ...clientsQuery },
    data: clientSchema.array(),
    paged: true,
    find: (params: { projectId: string; envId: string }, caller: InOrganization) =>
      findEnvironmentId(db, caller.organization.id, params),
    async handle({ found: { envId }, query }) {
      const standing = await findInstances(db, envId)
      if (!standing) return notFound('Environment')
      const { state } = query
      const clients = clientsOf(standing.currentRevision, standing.instances, now()).filter(
        (client) => state === undefined || client.state === state,
      )
      const read = async (after: string | null) => clients.filter(({ id }) => after === null || id > after)
      return cursors.list(query, ['clients', envId, state], read, (rows) => rows.map(presentClient))
    },
  })
}

const presentClient = (client: Client) => ({
  instanceId: client.instanceId || null,
  sdkType: client.sdkType,
  sdkVersion: client.sdkVersion,
  state: client.state,
  revision: client.revision,
  revisionsBehind: client.revisionsBehind,
  since: client.revisionAt?.toISOString() ?? null,
  firstSeenAt: client.firstSeenAt.toISOString(),
  lastSeenAt: client.lastSeenAt.toISOString(),
})

const heartbeatOperation = sdkOperation({
  operationId: 'sendHeartbeat',
  summary: 'Send a heartbeat',
  description:
    'Reports which SDK runs where, and which revision it serves. Requires no credential: the SDK key in the body is public. Browsers send the JSON as `text/plain`, which needs no preflight request.',
  consumes: ['application/json', 'text/plain'],
  body: describedHeartbeat,
  answers: {
    200: {
      description: 'Success',
      headers: ['Access-Control-Allow-Origin'],
      content: { 'application/json': heartbeatAnswer },
    },
    ...describedFailures('The heartbeat is', 'Too many heartbeats from this address', heartbeatError),
  },
})
