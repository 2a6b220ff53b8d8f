import { z } from 'zod'
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
  indexedEnvironments,
  indexedFlags,
  indexedMetrics,
  indexedNames,
  indexedSenders,
  indexVersion,
  pendingSwitches,
  stagedVersions,
} from './queries.ts'
import { projectIndexSchema } from './schema.ts'

const maxAttributes = 1_000
/** Part of the ETag: a release that answers in a different shape does not answer 304. */
const shape = z.toJSONSchema(projectIndexSchema, { io: 'input' })

export function projectIndexRoute(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/index',
    operationId: 'getProjectIndex',
    summary: 'Get the index of a project',
    description:
      'Answers everything that a list or a search box of the project needs, in one call: every flag with its state in each environment, the environments, the audiences, the segments, the metrics, the experiments, the exclusion groups, the holdouts, the webhooks, the destinations, and the attributes that rules read. Send the ETag as `If-None-Match` to get 304 while nothing has changed.',
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
          audiences: await ifAllowed(parts.audiences, () => indexedNames(db, 'audiences', id)),
          segments: await ifAllowed(parts.segments, () => indexedNames(db, 'segments', id)),
          metrics: await ifAllowed(parts.metrics, () => indexedMetrics(db, id)),
          experiments: await ifAllowed(parts.experiments, () => indexedNames(db, 'experiments', id)),
          exclusionGroups: await ifAllowed(parts.experiments, () => indexedNames(db, 'exclusion_groups', id)),
          holdouts: await ifAllowed(parts.experiments, () => indexedNames(db, 'holdouts', id)),
          webhooks: await ifAllowed(parts.webhooks, () => indexedSenders(db, 'webhooks', id)),
          destinations: await ifAllowed(parts.destinations, () => indexedSenders(db, 'integrations', id)),
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
    audiences: holds('audiences:read'),
    segments: holds('segments:read'),
    metrics: holds('metrics:read'),
    experiments: holds('experiments:read'),
    webhooks: holds('webhooks:read'),
    destinations: holds('integrations:read'),
  }
}
