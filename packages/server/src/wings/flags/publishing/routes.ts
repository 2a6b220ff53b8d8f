import { isRefusal, refuseUnknown } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { accepted } from '../../../http/errors.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { Publishing } from '../../serving/datafile/index.ts'
import { type Confirmations, waitQuery } from '../../serving/heartbeat/index.ts'
import { environmentParams, environmentQueries, unknownFlags } from '../projects/index.ts'
import { type PublishResult, publish, publishWarnings } from './actions.ts'
import { previewPublish } from './preview/actions.ts'
import { previewSchema } from './preview/schema.ts'
import { previewBody, publicationSchema, publishBody } from './schema.ts'

interface Context {
  db: Db
  change: Publishing
  confirmations: Confirmations
}

/** Room for the visitors of a preview. */
export const visitorsUpload = { maxBytes: 8 * 1024 * 1024, maxItems: 200_000 }

/** Makes what is staged in an environment live, or shows what that would change. */
export function publishingRoutes(route: Route, { db, change, confirmations }: Context): void {
  const url = '/api/v1/projects/:projectId/environments/:envId'
  const one = {
    tag: 'Environment',
    params: environmentParams,
    find: ({ projectId, envId }: { projectId: string; envId: string }, caller: InOrganization) =>
      environmentQueries.find(db, caller.organization.id, projectId, envId),
  }

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
      const result = await publish(change, by, ifMatch, {
        orgId: caller.organization.id,
        projectId: found.projectId,
        envId: found.id,
        flagIds,
        comment,
        dryRun,
      })
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
          const request = { envId: found.id, projectId: found.projectId, flagIds, visitors, now: by.now, gone: gone() }
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
      'Shows how many visitors would get a different value after a publish, and which one. This is the `preview` of a dry run, for everyone who can read the staged changes. Nothing is changed, and the visitors are not stored.',
    scope: 'flags:read',
    body: previewBody,
    data: previewSchema,
    upload: visitorsUpload,
    async handle({ found: { id: envId, projectId }, by, body: { flagIds, visitors }, gone }) {
      const unknown = flagIds ? await unknownFlags(db, projectId, flagIds) : []
      if (unknown.length > 0) return refuseUnknown('flagIds', 'This project has no flag', unknown)
      const preview = await previewPublish(db, { envId, projectId, flagIds, visitors, now: by.now, gone: gone() })
      return isRefusal(preview) ? preview : { data: preview }
    },
  })
}

function presentPublication(
  envId: string,
  by: Author | null,
  { staged, publication, flags, experiments, audiences }: PublishResult,
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
    experiments,
    audiences,
  }
}
