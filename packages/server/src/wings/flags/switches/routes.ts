import { isDeepStrictEqual } from 'node:util'
import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findFlagEnvironment } from '../../model/flag-environments/index.ts'
import {
  authoredChanges,
  describeOverrides,
  describeRule,
  stagedBetween,
  type Version,
  variationKey,
} from '../../model/versions/index.ts'
import { type Confirmations, waitQuery } from '../../serving/heartbeat/index.ts'
import {
  type Flag,
  findFlag,
  findFlagOfRule,
  flagEnvironmentParams,
  flagEnvironments,
  flagEtag,
  presentFlagEnvironment,
} from '../flags/index.ts'
import { type Switching, type SwitchResult, updateFlagEnvironment } from './actions.ts'
import { replaceOverrides } from './overrides/actions.ts'
import { openSchedule } from './schedules/queries.ts'
import { presentSchedule } from './schedules/schema.ts'
import {
  flagEnvironmentSwitchSchema,
  flagInEnvironmentSchema,
  overridesBody,
  overridesSchema,
  switchSchema,
  updateFlagEnvironmentBody,
} from './schema.ts'

interface Context {
  db: Db
  switching: Switching
  confirmations: Confirmations
}

/** The routes of a flag in an environment: run and pause, default variation, overrides. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function switchRoutes(route: Route, { db, switching, confirmations }: Context): void {
  const tag = 'Switch'
  const url = '/api/v1/projects/:projectId/flags/:flagId/envs/:envId'
  const one = {
    tag,
    scope: 'flags:write' as const,
    params: flagEnvironmentParams,
    find: (params: { projectId: string; flagId: string; envId: string }, caller: InOrganization) =>
      findFlag(db, caller.organization.id, params),
  }
  const oneRule = {
    tag,
    scope: 'flags:write' as const,
    params: { ...flagEnvironmentParams, ruleId: idField },
    find: (params: { projectId: string; flagId: string; envId: string; ruleId: string }, caller: InOrganization) =>
      findFlagOfRule(db, caller.organization.id, params),
  }

  for (const [verb, enabled] of [
    ['pause', false],
    ['run', true],
  ] as const) {
    const Verb = verb === 'run' ? 'Run' : 'Pause'
    route({
      ...one,
      method: 'POST',
      url: `${url}/${verb}`,
      operationId: `${verb}EnvironmentOfFlag`,
      summary: `${Verb} all rules of a flag in an environment`,
      description:
        'The change takes effect before the call returns. If the switch is already in this state, `changed` is false.',
      query: waitQuery,
      data: switchSchema,
      refusals: ['schedule_pending'],
      conditional: true,
      findsItself: true,
      async handle({ params, caller, by, query, ifMatch, gone }) {
        const which = { ...params, orgId: caller.organization.id }
        const asked = { which, by, named: true, ifMatch, move: { ruleId: null, enabled } } as const
        return answer(await switching(asked), { waitMs: query.wait, gone })
      },
    })

    route({
      ...oneRule,
      method: 'POST',
      url: `${url}/rules/:ruleId/${verb}`,
      operationId: `${verb}Rule`,
      summary: `${Verb} one rule`,
      description: 'Other rules are not affected.',
      query: waitQuery,
      data: switchSchema,
      refusals: ['schedule_pending'],
      conditional: true,
      findsItself: true,
      async handle({ params, caller, by, query, ifMatch, gone }) {
        const { ruleId, ...path } = params
        const which = { ...path, orgId: caller.organization.id }
        const asked = { which, by, named: true, ifMatch, move: { ruleId, enabled } } as const
        return answer(await switching(asked), { waitMs: query.wait, gone })
      },
    })
  }

  route({
    ...one,
    method: 'PATCH',
    url,
    operationId: 'updateFlagEnvironment',
    summary: 'Stage the default variation, or run and pause with `enabled`',
    query: waitQuery,
    body: updateFlagEnvironmentBody,
    data: flagEnvironmentSwitchSchema,
    refusals: ['schedule_pending'],
    etag: true,
    conditional: true,
    async handle({ params, found: flag, by, query, body, ifMatch, gone }) {
      const which = { ...params, orgId: flag.orgId }
      const result = await updateFlagEnvironment(switching, by, ifMatch, which, body)
      if (isRefusal(result)) return result
      const { live, draft } = result.row
      const more = { defaultVariationId: live.defaultVariationId, staged: stagedBetween(live, draft) }
      // A staged change alone does not reach visitors.
      const acts = body.enabled !== undefined
      return {
        data: { ...present(result), ...more },
        etag: flagEtag(result.flag),
        afterwards: () => confirm(result, { acts, waitMs: query.wait, gone }),
      }
    },
  })

  route({
    ...one,
    method: 'GET',
    url,
    operationId: 'getFlagEnvironment',
    summary: 'Get a flag in an environment',
    description:
      'Returns its switch and schedule, the draft, the live version, and what the next publish would change.',
    scope: 'flags:read',
    data: flagInEnvironmentSchema,
    etag: true,
    async handle({ params: { envId }, found: flag }) {
      const data = await presentFlagInEnvironment(db, flag, envId)
      // Read before the versions: if an edit comes between, a write under this ETag is refused.
      return data ? { data, etag: flagEtag(flag) } : notFound('Flag')
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/overrides`,
    operationId: 'getOverrides',
    summary: 'Get the per-user overrides',
    description: 'Returns the drafted and the live lists, in the format of the PUT.',
    scope: 'flags:read',
    data: overridesSchema,
    etag: true,
    async handle({ params, found: flag }) {
      const row = await findFlagEnvironment(db, flag.id, params.envId)
      return row ? { data: presentOverrides(row), etag: flagEtag(flag) } : notFound('Flag')
    },
  })

  route({
    ...one,
    method: 'PUT',
    url: `${url}/overrides`,
    operationId: 'replaceOverrides',
    summary: 'Replace the per-user overrides',
    description: 'Both lists are required. They are staged until the next publish.',
    body: overridesBody,
    data: overridesSchema,
    etag: true,
    conditional: true,
    async handle({ params, found: flag, by, body, ifMatch }) {
      const which = { envId: params.envId, flagId: flag.id }
      const result = await replaceOverrides(db, by, ifMatch, which, body)
      if (isRefusal(result)) return result
      return { data: presentOverrides(result), etag: flagEtag(result.flag) }
    },
  })

  function answer(result: SwitchResult | Refusal, asked: Asked) {
    if (isRefusal(result)) return result
    return { data: present(result), afterwards: () => confirm(result, { acts: true, ...asked }) }
  }

  function confirm({ envId, dataFile }: SwitchResult, asked: Asked & { acts: boolean }) {
    return confirmations.confirm({ published: { envId, ...dataFile }, ...asked })
  }
}

/** A flag in an environment with its two versions, as the API shows it. */
export async function presentFlagInEnvironment(db: Db, flag: Flag, envId: string) {
  const row = (await flagEnvironments(db, [flag.id])).find((each) => each.envId === envId)
  if (!row) return undefined
  const schedule = await openSchedule(db, { flagId: flag.id, envId, ruleId: null })
  return {
    ...presentFlagEnvironment(flag, row),
    revision: row.revision,
    schedule: schedule ? presentSchedule(schedule) : null,
    draft: presentVersion(row.draft),
    live: presentVersion(row.live),
    changes: authoredChanges(row.live, row.draft, row.stagedBy),
  }
}

interface Asked {
  waitMs: number | undefined
  gone: () => AbortSignal
}

function presentVersion(version: Version) {
  return {
    defaultVariationKey: variationKey(version, version.defaultVariationId),
    overrides: describeOverrides(version),
    rules: version.rules.map((rule) => describeRule(rule, version)),
  }
}

const presentOverrides = ({ draft, live }: { draft: Version; live: Version }) => ({
  ...describeOverrides(draft),
  live: describeOverrides(live),
  staged: !isDeepStrictEqual(draft.overrides, live.overrides),
})

function present({ row: _row, flag: _flag, dataFile, suspendedSchedules, ...rest }: SwitchResult) {
  return {
    ...rest,
    dataFile: { ...dataFile, publishedAt: dataFile.publishedAt?.toISOString() ?? null },
    suspendedSchedules: suspendedSchedules.map(presentSchedule),
  }
}
