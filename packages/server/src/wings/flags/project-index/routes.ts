import { holdsScope, type Scope } from '../../../catalogue/scopes.ts'
import { contentEtag } from '../../../http/etag.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findProject, projectParams } from '../projects/index.ts'
import { presentFlags } from './flags.ts'
import {
  attributesInUse,
  indexedEnvironments,
  indexedFlags,
  indexedNames,
  pendingSwitches,
  stagedVersions,
} from './queries.ts'
import { projectIndexSchema } from './schema.ts'

const maxAttributes = 1_000

export function projectIndexRoute(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/index',
    operationId: 'getProjectIndex',
    summary: 'Get the index of a project',
    description:
      'Answers everything that a list or a search box of the project needs, in one call: every flag with its state in each environment, the environments, the audiences, the segments, and the attributes that rules read. Send the ETag as `If-None-Match` to get 304 while nothing has changed.',
    tag: 'Project',
    scope: null,
    params: projectParams,
    data: projectIndexSchema,
    revalidates: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: { id }, caller }) {
      const holds = (scope: Scope) => holdsScope(caller.scopes, scope)
      const ifAllowed = async <Part>(scope: Scope, read: () => Promise<Part>) => (holds(scope) ? read() : null)
      const environments = await indexedEnvironments(db, id)
      const data = {
        environments: holds('projects:read') || holds('flags:read') ? environments : null,
        flags: await ifAllowed('flags:read', async () =>
          presentFlags(
            await indexedFlags(db, id),
            environments,
            await stagedVersions(db, id),
            await pendingSwitches(db, id),
            now(),
          ),
        ),
        audiences: await ifAllowed('audiences:read', () => indexedNames(db, 'audiences', id)),
        segments: await ifAllowed('segments:read', () => indexedNames(db, 'segments', id)),
        attributes: await ifAllowed('flags:read', () => attributesInUse(db, id, maxAttributes)),
      }
      return { data, etag: contentEtag(data) }
    },
  })
}
