import type { Caller } from '../../../../http/credentials.ts'
import { type Cursors, rowsAfter } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import { nounRoutes } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { environmentsWithStagedChanges } from '../../../model/flag-environments/index.ts'
import { type DataFileStore, dataFileUrl } from '../../../serving/datafile/index.ts'
import type { Usage } from '../../../serving/heartbeat/index.ts'
import { findProject } from '../queries.ts'
import {
  createEnvironment,
  type DeletingEnvironments,
  deleteEnvironment,
  environments,
  updateEnvironment,
} from './actions.ts'
import { ingestKeyRoutes } from './ingest-keys/routes.ts'
import { type Environment, environmentQueries, environmentsInOrder, type SdkSeen, sdksSeen } from './queries.ts'
import { createEnvironmentBody, environmentSchema, updateEnvironmentBody } from './schema.ts'
import { sdkKeyRoutes } from './sdk-keys/routes.ts'

interface Context {
  db: Db
  cursors: Cursors
  now: () => Date
  store: DataFileStore
  usage: Usage
  baseUrl: string
  deleteHiddenFlags: DeletingEnvironments['deleteHiddenFlags']
}

const sdkSeenWindowMs = 10 * 60_000

export function environmentRoutes(route: Route, { deleteHiddenFlags, ...context }: Context): void {
  const { db, cursors, now, store, usage, baseUrl } = context
  const which = ({ organization }: Caller, { id, projectId }: Environment) => ({
    orgId: organization.id,
    projectId,
    envId: id,
  })

  const { one, url } = nounRoutes(route, {
    name: 'Environment',
    one: 'an environment',
    id: 'envId',
    many: 'environments',
    scopes: { read: 'projects:read', write: 'projects:write' },
    data: environmentSchema,
    cursors,
    db,
    findProject,
    queries: {
      ...environmentQueries,
      list: async (db, projectId, after) => rowsAfter(await environmentsInOrder(db, projectId))(after),
    },
    present,
    etag: environments.etag,
    create: {
      text: 'The environment contains every flag of the project, paused, and has its own SDK key.',
      body: createEnvironmentBody,
      act: ({ found: { orgId, id: projectId }, by, body }) =>
        createEnvironment(db, by, {
          ...{ ...body, key: body.key, color: body.color, position: body.position },
          ...{ orgId, projectId },
        }),
    },
    update: {
      summary: 'Update the name, color, protection, position, or which events need an ingest key',
      body: updateEnvironmentBody,
      act: ({ caller, found, by, body, ifMatch }) =>
        updateEnvironment({ db, store }, by, ifMatch, which(caller, found), body),
    },
    texts: {
      list: 'In the order of `position`.',
      delete:
        'Its SDK keys stop working at once. Built-in environments cannot be deleted, and at least two environments must remain.',
    },
    remove: ({ caller, found, by, ifMatch }) =>
      deleteEnvironment({ db, store, deleteHiddenFlags }, by, ifMatch, which(caller, found)),
  })

  sdkKeyRoutes(route, { one, url, db, cursors, now, store, usage })
  ingestKeyRoutes(route, { one, url, db, store, cursors, usage })

  async function present(rows: Environment[]) {
    const ids = rows.map(({ id }) => id)
    const staged = await environmentsWithStagedChanges(db, ids)
    const sdks = await sdksSeen(db, ids, new Date(now().getTime() - sdkSeenWindowMs))
    return rows.map((environment) =>
      presentEnvironment(environment, {
        baseUrl,
        hasStagedChanges: staged.has(environment.id),
        sdks: sdks.filter(({ envId }) => envId === environment.id),
      }),
    )
  }
}

function presentEnvironment(
  environment: Environment,
  { baseUrl, hasStagedChanges, sdks }: { baseUrl: string; hasStagedChanges: boolean; sdks: SdkSeen[] },
) {
  const { revision, etag, publishedAt, version, ...rest } = environment
  return {
    ...rest,
    status: 'ACTIVE' as const,
    connected: rest.lastHeartbeatAt !== null,
    lastHeartbeatAt: rest.lastHeartbeatAt?.toISOString() ?? null,
    ingestKeyMissedAt: rest.ingestKeyMissedAt?.toISOString() ?? null,
    sdks: sdks.map(({ type, version, lastSeenAt, instances }) => ({
      type,
      version,
      lastSeenAt: lastSeenAt.toISOString(),
      instances,
    })),
    dataFile: {
      url: dataFileUrl(baseUrl, rest.sdkKey),
      revision,
      etag,
      publishedAt: publishedAt?.toISOString() ?? null,
    },
    hasStagedChanges,
    createdAt: rest.createdAt.toISOString(),
    updatedAt: rest.updatedAt.toISOString(),
  }
}
