import { isRefusal, refuseUnknown } from '../../../../catalogue/refusals.ts'
import type { Caller } from '../../../../http/credentials.ts'
import { accepted } from '../../../../http/errors.ts'
import { type Cursors, rowsAfter } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import { nounRoutes } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { environmentsWithStagedChanges } from '../../../model/flag-environments/index.ts'
import { type DataFileStore, dataFileUrl, type Publishing } from '../../../serving/datafile/index.ts'
import { type Confirmations, type Usage, waitQuery } from '../../../serving/heartbeat/index.ts'
import { findProject } from '../queries.ts'
import {
  createEnvironment,
  deleteEnvironment,
  environments,
  type PublishResult,
  publish,
  publishWarnings,
  updateEnvironment,
} from './actions.ts'
import { previewPublish } from './preview/actions.ts'
import { previewSchema } from './preview/schema.ts'
import {
  type Environment,
  environmentQueries,
  environmentsInOrder,
  type SdkSeen,
  sdksSeen,
  unknownFlags,
} from './queries.ts'
import {
  createEnvironmentBody,
  environmentSchema,
  previewBody,
  publicationSchema,
  publishBody,
  updateEnvironmentBody,
} from './schema.ts'
import { sdkKeyRoutes } from './sdk-keys/routes.ts'

interface Context {
  db: Db
  cursors: Cursors
  now: () => Date
  change: Publishing
  store: DataFileStore
  usage: Usage
  confirmations: Confirmations
  baseUrl: string
}

/** Room for the visitors of a preview. */
export const visitorsUpload = { maxBytes: 8 * 1024 * 1024, maxItems: 200_000 }
const sdkSeenWindowMs = 10 * 60_000

export function environmentRoutes(
  route: Route,
  { db, cursors, now, change, store, usage, confirmations, baseUrl }: Context,
): void {
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
      summary: 'Update name, color, protection or position',
      body: updateEnvironmentBody,
      act: ({ caller, found, by, body, ifMatch }) => updateEnvironment(db, by, ifMatch, which(caller, found), body),
    },
    texts: {
      list: 'In the order of `position`.',
      delete:
        'Its SDK keys stop working at once. Built-in environments cannot be deleted, and at least two environments must remain.',
    },
    remove: ({ caller, found, by, ifMatch }) => deleteEnvironment(db, store, by, ifMatch, which(caller, found)),
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/publish`,
    operationId: 'publishEnvironment',
    summary: 'Publish the data file',
    description:
      'Makes the staged drafts live: all of them, or those of the flags in `flagIds`. If nothing is staged, `changed` is false. `X-Svc-If-Match` takes the ETag of the environment, or of its list of staged changes.',
    scope: 'projects:write',
    query: waitQuery,
    body: publishBody,
    data: publicationSchema,
    conditional: true,
    upload: visitorsUpload,
    async handle({ caller, found, by, query, body, ifMatch, gone }) {
      const { flagIds = null, comment = null, dryRun = false, visitors } = body ?? {}
      const result = await publish(change, by, ifMatch, { ...which(caller, found), flagIds, comment, dryRun })
      if (isRefusal(result)) return result
      const { revision, publishedAt } = result.publication
      const published = { envId: found.id, revision, publishedAt }
      return {
        data: {
          ...presentPublication(found.id, dryRun ? null : by, result),
          warnings: await publishWarnings(db, result.reassignments),
        },
        async afterwards() {
          const confirmed = await confirmations.confirm({ published, acts: !dryRun, waitMs: query.wait, gone })
          if (visitors === undefined) return confirmed
          const request = { envId: found.id, flagIds, visitors, now: by.now, gone: gone() }
          return { ...confirmed, preview: accepted(await previewPublish(db, request)) }
        },
      }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/staged/preview`,
    operationId: 'previewStagedChanges',
    idempotent: false,
    summary: 'Preview a publish',
    description:
      'Shows how many visitors would get something else after a publish, and what: the `preview` of a dry run, for everyone who can read the staged changes. It changes nothing and stores nothing of the visitors.',
    scope: 'flags:read',
    body: previewBody,
    data: previewSchema,
    upload: visitorsUpload,
    async handle({ found: { id: envId, projectId }, by, body: { flagIds, visitors }, gone }) {
      const unknown = flagIds ? await unknownFlags(db, projectId, flagIds) : []
      if (unknown.length > 0) return refuseUnknown('flagIds', 'This project has no flag', unknown)
      const preview = await previewPublish(db, { envId, flagIds, visitors, now: by.now, gone: gone() })
      return isRefusal(preview) ? preview : { data: preview }
    },
  })

  sdkKeyRoutes(route, { one, url, db, cursors, now, store, usage })

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

function presentPublication(
  envId: string,
  by: Author | null,
  { staged, publication, flags, audiences }: PublishResult,
) {
  return {
    envId,
    changed: staged,
    revision: publication.revision,
    previousRevision: publication.previousRevision,
    etag: publication.etag,
    bytes: publication.bytes,
    publishedAt: (staged && by ? by.now : publication.publishedAt)?.toISOString() ?? null,
    publishedBy: staged && by ? { type: by.actor.type, id: by.actor.id, name: by.actor.name } : null,
    flags,
    audiences,
  }
}
