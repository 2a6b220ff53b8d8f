import { idField } from '../../fields.ts'
import type { InOrganization } from '../../http/credentials.ts'
import type { Route } from '../../http/route.ts'
import type { Db } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import { isRefusal, type Refusal } from '../../refusals.ts'
import type { Publishing } from '../datafile/index.ts'
import { findFlag, flagEnvironmentParams, flagEtag } from '../flags/index.ts'
import { describeAllowlist, findRuleRows, stagedBetween } from '../versions/index.ts'
import { replaceOverrides, type SwitchResult, switchEnvironment, switchRule, updateFlagEnvironment } from './actions.ts'
import {
  flagEnvironmentSwitchSchema,
  overridesBody,
  overridesSchema,
  switchSchema,
  updateFlagEnvironmentBody,
} from './schema.ts'

interface Context {
  db: Db
  change: Publishing
}

/** The specification's table "Environment switches". */
export function switchRoutes(route: Route, { db, change }: Context): void {
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
    async find(params: { projectId: string; flagId: string; envId: string; ruleId: string }, caller: InOrganization) {
      const flag = await findFlag(db, caller.organization.id, params)
      if (!flag || !isId(params.ruleId)) return undefined
      const rules = await findRuleRows(db, { flagId: flag.id, envId: params.envId })
      return rules.some(({ id }) => id === params.ruleId) ? flag : undefined
    },
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
      description: 'Acts when the call returns. Already there: `changed: false`.',
      data: switchSchema,
      async handle({ params, found: flag, by }) {
        const which = { ...params, flagId: flag.id }
        return answer(await switchEnvironment(change, by, which, enabled))
      },
    })

    route({
      ...oneRule,
      method: 'POST',
      url: `${url}/rules/:ruleId/${verb}`,
      operationId: `${verb}Rule`,
      summary: `${Verb} one rule`,
      description: 'The other rules go on as they are.',
      data: switchSchema,
      async handle({ params, found: flag, by }) {
        const which = { ...params, flagId: flag.id }
        return answer(await switchRule(change, by, which, enabled))
      },
    })
  }

  route({
    ...one,
    method: 'PATCH',
    url,
    operationId: 'updateFlagEnvironment',
    summary: 'Stage the default variation, or run and pause by `enabled`',
    body: updateFlagEnvironmentBody,
    data: flagEnvironmentSwitchSchema,
    conditional: true,
    async handle({ params, found: flag, by, body, ifMatch }) {
      const which = { ...params, flagId: flag.id }
      const result = await updateFlagEnvironment(change, by, ifMatch, which, body)
      if (isRefusal(result)) return result
      const { live, draft } = result.row
      const more = { defaultVariationId: live.defaultVariationId, staged: stagedBetween(live, draft) }
      return { data: { ...present(result), ...more }, etag: flagEtag(result.flag) }
    },
  })

  route({
    ...one,
    method: 'PUT',
    url: `${url}/overrides`,
    operationId: 'replaceOverrides',
    summary: 'Replace the per-user overrides',
    description: 'Both lists are required. Staged until the next publish.',
    body: overridesBody,
    data: overridesSchema,
    conditional: true,
    async handle({ params, found: flag, by, body, ifMatch }) {
      const which = { envId: params.envId, flagId: flag.id }
      const result = await replaceOverrides(db, by, ifMatch, which, body)
      if (isRefusal(result)) return result
      const { overrides, draft, staged } = result
      return {
        data: {
          environmentAllowlist: describeAllowlist(overrides.environmentAllowlist, draft),
          ruleAllowlists: overrides.ruleAllowlists.map(({ ruleId, entries }) => ({
            ruleId,
            entries: describeAllowlist(entries, draft),
          })),
          staged,
        },
        etag: flagEtag(result.flag),
      }
    },
  })
}

const answer = (result: SwitchResult | Refusal) => (isRefusal(result) ? result : { data: present(result) })

function present({ row: _row, flag: _flag, dataFile, ...rest }: SwitchResult) {
  return {
    ...rest,
    dataFile: { ...dataFile, publishedAt: dataFile.publishedAt?.toISOString() ?? null },
    // Schedules come with their own resource; a pause has none to suspend before.
    suspendedSchedules: [],
  }
}
