import { z } from 'zod'
import { invalid, isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import type { Caller, InOrganization } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { overrideCount, stagedBetween, statusOf } from '../../model/versions/index.ts'
import type { Publishing } from '../../serving/datafile/index.ts'
import { findProject, projectParams } from '../projects/index.ts'
import { archiveFlag, deleteFlag, flagEtag, replaceVariations, unarchiveFlag, updateFlag } from './actions.ts'
import type { Creating } from './creation/actions.ts'
import { isStale, staleBounds } from './flag.ts'
import {
  type Flag,
  type FlagOwner,
  findFlag,
  findOwner,
  flagEnvironments,
  flagOwners,
  listFlags,
  type NamedFlagEnvironment,
} from './queries.ts'
import { createFlagBody, flagFilters, flagParams, flagSchema, replaceVariationsBody, updateFlagBody } from './schema.ts'

interface Context {
  db: Db
  cursors: Cursors
  now: () => Date
  change: Publishing
  creating: Creating
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function flagRoutes(route: Route, { db, cursors, now, change, creating }: Context): void {
  const tag = 'Flag'
  const url = '/api/v1/projects/:projectId/flags'

  route({
    method: 'GET',
    url,
    operationId: 'listFlags',
    summary: 'List flags',
    description: 'Newest first.',
    tag,
    scope: 'flags:read',
    params: projectParams,
    query: { ...pageQuery, ...flagFilters },
    data: flagSchema.array(),
    paged: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ caller, found: project, query }) {
      const { limit: _limit, cursor: _cursor, ...given } = query
      const filters = filtersOf(caller, given)
      if (isRefusal(filters)) return filters
      const list = ['flags', caller.organization.id, project.id, filters]
      const read = (after: string | null, limit: number) =>
        listFlags(db, project.id, filters, staleBounds(now()), after, limit)
      return cursors.list(query, list, read, present)
    },
  })

  route({
    method: 'POST',
    url,
    operationId: 'createFlag',
    summary: 'Create a flag',
    description: 'The flag starts as a draft, paused in every environment.',
    tag,
    scope: 'flags:write',
    params: projectParams,
    body: createFlagBody,
    data: flagSchema,
    refusals: ['already_exists'],
    etag: true,
    status: 201,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: project, caller, by, body: { owner, ...body } }) {
      const ownerId = owner === undefined ? (caller.user?.id ?? null) : await ownerIn(db, project.orgId, owner)
      if (isRefusal(ownerId)) return ownerId
      const created = await creating(by, { orgId: project.orgId, projectId: project.id }, { ...body, ownerId })
      if (isRefusal(created)) return created
      const { flag, environments } = created
      const owners = await ownersOf([flag])
      return { data: presentFlag(flag, environments, owners, now()), etag: flagEtag(flag) }
    },
  })

  const one = {
    tag,
    params: flagParams,
    find: (params: { projectId: string; flagId: string }, caller: InOrganization) =>
      findFlag(db, caller.organization.id, params),
  }
  const which = (flag: Flag) => ({ projectId: flag.projectId, flagId: flag.id })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:flagId`,
    operationId: 'getFlag',
    summary: 'Get a flag',
    description: '`flagId` is the id or the short id.',
    scope: 'flags:read',
    data: flagSchema,
    etag: true,
    handle: ({ found }) => answer(found),
  })

  route({
    ...one,
    method: 'PATCH',
    url: `${url}/:flagId`,
    operationId: 'updateFlag',
    summary: 'Update the name, description, key, tags, owner, permanent mark or value schema',
    description: 'The key can change until the flag has been enabled in any environment.',
    scope: 'flags:write',
    body: updateFlagBody,
    data: flagSchema,
    refusals: ['already_exists'],
    etag: true,
    conditional: true,
    async handle({ found, by, body: { owner, ...body }, ifMatch }) {
      const ownerId = owner === undefined ? undefined : await ownerIn(db, found.orgId, owner)
      if (isRefusal(ownerId)) return ownerId
      return answer(await updateFlag(change, by, ifMatch, which(found), { ...body, ownerId }))
    },
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:flagId`,
    operationId: 'deleteFlag',
    summary: 'Delete a flag',
    description: 'Only a draft or an archived flag can be deleted.',
    scope: 'flags:write',
    data: z.null(),
    conditional: true,
    async handle({ found, by, ifMatch }) {
      const result = await deleteFlag(change, by, ifMatch, which(found))
      return isRefusal(result) ? result : { data: null }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:flagId/archive`,
    operationId: 'archiveFlag',
    summary: 'Archive a flag',
    description: 'A flag that is running in any environment cannot be archived. Pause it first.',
    scope: 'flags:write',
    data: flagSchema,
    etag: true,
    handle: async ({ found, by }) => answer(await archiveFlag(change, by, which(found))),
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:flagId/unarchive`,
    operationId: 'unarchiveFlag',
    summary: 'Unarchive a flag',
    description: 'The flag is paused in every environment. Run it again in each environment where you need it.',
    scope: 'flags:write',
    data: flagSchema,
    etag: true,
    handle: async ({ found, by }) => answer(await unarchiveFlag(change, by, which(found))),
  })

  route({
    ...one,
    method: 'PUT',
    url: `${url}/:flagId/variations`,
    operationId: 'replaceVariations',
    summary: 'Replace the variations',
    description:
      'Variations are matched by `id`, or else by `key`. Omitted variations are removed. Visitors get the new values after the next publish of each environment.',
    scope: 'flags:write',
    body: replaceVariationsBody,
    data: flagSchema,
    etag: true,
    conditional: true,
    stages: true,
    async handle({ found, by, body, ifMatch }) {
      return answer(await replaceVariations(change, by, ifMatch, which(found), body))
    },
  })

  async function answer(flag: Flag | Refusal) {
    if (isRefusal(flag)) return flag
    const [data] = await present([flag])
    return { data: data!, etag: flagEtag(flag) }
  }

  const ownersOf = (flags: readonly Flag[]) =>
    flagOwners(
      db,
      flags[0]?.orgId ?? '',
      flags.flatMap(({ ownerId }) => ownerId ?? []),
    )

  async function present(flags: Flag[]) {
    const environments = await flagEnvironments(
      db,
      flags.map(({ id }) => id),
    )
    const owners = await ownersOf(flags)
    return flags.map((flag) =>
      presentFlag(
        flag,
        environments.filter(({ flagId }) => flagId === flag.id),
        owners,
        now(),
      ),
    )
  }
}

/** The filters, with the id of a person in the place of `me`. */
function filtersOf<Given extends { owner?: string | undefined }>({ user }: Caller, filters: Given): Given | Refusal {
  if (filters.owner !== 'me') return filters
  if (user) return { ...filters, owner: user.id }
  return invalid({ path: ['owner'], message: 'A service token is no person: name one in place of `me`.' })
}

/** The id of a member of the organization. */
async function ownerIn(db: Db, orgId: string, called: string | null): Promise<string | null | Refusal> {
  if (called === null) return null
  const message = 'No member of the organization has this id or e-mail address.'
  return (await findOwner(db, orgId, called)) ?? invalid({ path: ['owner'], message })
}

function presentFlag(flag: Flag, environments: NamedFlagEnvironment[], owners: readonly FlagOwner[], now: Date) {
  const evaluatedAt = environments.flatMap(({ lastEvaluatedAt }) => lastEvaluatedAt ?? [])
  const lastEvaluatedAt = evaluatedAt.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null
  return {
    id: flag.id,
    shortId: flag.shortId,
    projectId: flag.projectId,
    name: flag.name,
    key: flag.key,
    description: flag.description,
    type: flag.type,
    status: statusOf(
      flag,
      environments.some(({ enabled }) => enabled),
    ),
    stale: isStale(flag, lastEvaluatedAt, staleBounds(now)),
    permanent: flag.permanent,
    variations: flag.variations,
    defaultVariationKey: flag.variations.find(({ id }) => id === flag.defaultVariationId)!.key,
    valueSchema: flag.valueSchema as Record<string, unknown> | null,
    tags: flag.tags,
    owner: owners.find(({ id }) => id === flag.ownerId) ?? null,
    environments: environments.map((environment) => presentFlagEnvironment(flag, environment)),
    createdAt: flag.createdAt.toISOString(),
    updatedAt: flag.updatedAt.toISOString(),
    archivedAt: flag.archivedAt?.toISOString() ?? null,
  }
}

export function presentFlagEnvironment(flag: Flag, { live, draft, ...environment }: NamedFlagEnvironment) {
  const serving = environment.enabled && !flag.archivedAt
  const running = live.rules.filter(({ id }) => serving && environment.enabledRules.includes(id))
  return {
    envId: environment.envId,
    name: environment.name,
    enabled: environment.enabled,
    defaultVariationId: live.defaultVariationId,
    staged: stagedBetween(live, draft),
    ruleCount: draft.rules.length,
    runningRuleCount: running.length,
    overrideCount: overrideCount(draft.overrides),
    lastPublishedRevision: environment.lastPublishedRevision,
    lastEvaluatedAt: environment.lastEvaluatedAt?.toISOString() ?? null,
  }
}
