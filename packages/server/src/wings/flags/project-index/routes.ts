import { z } from 'zod'
import { indexedNouns, indexFieldOf, nouns } from '../../../catalogue/nouns.ts'
import { holdsScope, type Scope } from '../../../catalogue/scopes.ts'
import type { Caller } from '../../../http/credentials.ts'
import { contentEtag } from '../../../http/etag.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { staleBounds } from '../flags/index.ts'
import { findProject, projectParams } from '../projects/index.ts'
import { presentFlags } from './flags.ts'
import {
  attributesInUse,
  type Indexed,
  indexedEnvironments,
  indexedFlags,
  indexedOwners,
  indexedRows,
  indexVersion,
  pendingSwitches,
  stagedVersions,
} from './queries.ts'
import { projectIndexSchema } from './schema.ts'

const maxAttributes = 1_000
const listed = indexedNouns.map(({ noun }) => `the ${nouns[noun].plural.toLowerCase()}`).join(', ')
/** Part of the ETag: a release that answers in a different shape does not answer 304. */
const shape = z.toJSONSchema(projectIndexSchema, { io: 'input' })

export function projectIndexRoute(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/index',
    operationId: 'getProjectIndex',
    summary: 'Get the index of a project',
    description: `Returns everything that a list or a search box of the project needs, in one call: every flag with its state in each environment, the environments, ${listed}, and the attributes that rules read. Send the ETag as \`If-None-Match\` to get 304 while nothing has changed.`,
    tag: 'Project',
    scope: null,
    params: projectParams,
    data: projectIndexSchema,
    revalidates: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async etagAhead({ found: { id }, caller }) {
      return contentEtag([shape, id, partsFor(caller), await indexVersion(db, id, staleBounds(now()))])
    },
    async handle({ found: { id }, caller }) {
      const parts = partsFor(caller)
      const ifAllowed = async <Part>(isAllowed: boolean, read: () => Promise<Part>) => (isAllowed ? read() : null)
      const environments = await indexedEnvironments(db, id)
      return {
        data: {
          environments: parts.environments ? environments : null,
          flags: await ifAllowed(parts.flags, async () =>
            presentFlags(
              await indexedFlags(db, id),
              environments,
              await stagedVersions(db, id),
              await pendingSwitches(db, id),
              now(),
            ),
          ),
          owners: await ifAllowed(parts.flags, async () =>
            (await indexedOwners(db, id)).map(({ left, ...owner }) => ({ ...owner, ...(left && { left }) })),
          ),
          ...(await namedRows(db, id, parts)),
          attributes: await ifAllowed(parts.flags, () => attributesInUse(db, id, maxAttributes)),
        },
      }
    },
  })
}

/** The parts of the index that the caller can read. */
function partsFor({ scopes }: Caller) {
  const holds = (scope: Scope) => holdsScope(scopes, scope)
  return {
    environments: holds('projects:read') || holds('flags:read'),
    flags: holds('flags:read'),
    nouns: indexedNouns.flatMap(({ noun }) => (holds(nouns[noun].readBy) ? [noun] : [])),
  }
}

/** The rows of every noun that the caller can read, by the field of the noun. */
async function namedRows(db: Db, projectId: string, { nouns: readable }: ReturnType<typeof partsFor>) {
  const fields: Record<string, Indexed[] | null> = {}
  for (const place of indexedNouns)
    fields[indexFieldOf(place)] = readable.includes(place.noun) ? await indexedRows(db, place, projectId) : null
  return fields
}
