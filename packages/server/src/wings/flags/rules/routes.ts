import { z } from 'zod'
import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { versionEtag } from '../../../http/etag.ts'
import { type Cursors, onlyPage, pageQuery, rowsAfter } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findFlagEnvironment } from '../../model/flag-environments/index.ts'
import { findRuleRows } from '../../model/rules/index.ts'
import { type Flag, findFlag, flagEnvironmentParams, flagEtag } from '../flags/index.ts'
import { copyRulesFrom, createRule, deleteRule, duplicateRule, reorderRules, updateRule } from './actions.ts'
import { presentRules, type RuleContext } from './rule.ts'
import { copiedSchema, copyBody, createRuleBody, reorderBody, ruleSchema, updateRuleBody } from './schema.ts'

interface Context {
  db: Db
  cursors: Cursors
}

interface RulesOfFlag {
  flag: Flag
  context: RuleContext
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function ruleRoutes(route: Route, { db, cursors }: Context): void {
  const tag = 'Rule'
  const url = '/api/v1/projects/:projectId/flags/:flagId/envs/:envId/rules'
  const all = {
    tag,
    params: flagEnvironmentParams,
    find: findRules,
  }
  const one = {
    tag,
    params: { ...flagEnvironmentParams, ruleId: idField },
    async find(params: EnvironmentPath & { ruleId: string }, caller: InOrganization) {
      const found = await findRules(params, caller)
      return found?.context.draft.rules.some(({ id }) => id === params.ruleId) ? found : undefined
    },
  }
  const which = ({ flag, context }: RulesOfFlag) => ({ flagId: flag.id, envId: context.envId })

  route({
    ...all,
    method: 'GET',
    url,
    operationId: 'listRules',
    summary: 'List the rules of a flag in an environment',
    description: 'Lists the drafted rules in evaluation order.',
    scope: 'flags:read',
    query: pageQuery,
    data: ruleSchema.array(),
    paged: true,
    async handle({ found: { flag, context }, query }) {
      const list = ['rules', flag.orgId, flag.projectId, flag.id, context.envId]
      return cursors.list(query, list, rowsAfter(presentRules(context)), (rules) => rules)
    },
  })

  route({
    ...all,
    method: 'POST',
    url,
    operationId: 'createRule',
    summary: 'Create a rule',
    description: 'The rule is staged until the next publish. Its switch is on; set `enabled` to false to turn it off.',
    scope: 'flags:write',
    body: createRuleBody,
    data: ruleSchema,
    refusals: ['already_exists'],
    etag: true,
    status: 201,
    async handle({ found, by, body }) {
      return answerOne(await createRule(db, by, which(found), body))
    },
  })

  route({
    ...all,
    method: 'POST',
    url: `${url}/copy`,
    operationId: 'copyRules',
    summary: 'Copy all rules from another environment',
    description: 'The copies are appended and paused.',
    scope: 'flags:write',
    body: copyBody,
    data: copiedSchema,
    status: 201,
    async handle({ found, by, body }) {
      const result = await copyRulesFrom(db, by, which(found), body.sourceEnvId)
      if (isRefusal(result)) return result
      const rules = presentRules(result.context).filter(({ id }) => result.ruleIds.includes(id))
      return { data: { rules, skipped: [] } }
    },
  })

  route({
    ...all,
    method: 'PUT',
    url: `${url}/reorder`,
    operationId: 'reorderRules',
    summary: 'Reorder the rules',
    description: 'Send all rule ids in the new evaluation order. The new order is staged until the next publish.',
    scope: 'flags:write',
    body: reorderBody,
    data: ruleSchema.array(),
    etag: true,
    paged: true,
    conditional: true,
    async handle({ found, by, body, ifMatch }) {
      const context = await reorderRules(db, by, ifMatch, which(found), body.ruleIds)
      return isRefusal(context)
        ? context
        : { data: presentRules(context), page: onlyPage, etag: flagEtag(context.flag) }
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:ruleId`,
    operationId: 'getRule',
    summary: 'Get a rule',
    scope: 'flags:read',
    data: ruleSchema,
    etag: true,
    handle: async ({ params, found: { context } }) => answerOne({ ruleId: params.ruleId, context }),
  })

  route({
    ...one,
    method: 'PATCH',
    url: `${url}/:ruleId`,
    operationId: 'updateRule',
    summary: 'Update a rule',
    description: 'The change is staged until the next publish. To change the switch, use `run` and `pause`.',
    scope: 'flags:write',
    body: updateRuleBody,
    data: ruleSchema,
    refusals: ['reassignment_unconfirmed'],
    etag: true,
    conditional: true,
    async handle({ params: { ruleId }, found, by, body, ifMatch }) {
      const context = await updateRule(db, by, ifMatch, { ...which(found), ruleId }, body)
      return isRefusal(context) ? context : answerOne({ ruleId, context })
    },
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:ruleId`,
    operationId: 'deleteRule',
    summary: 'Delete a rule',
    description: 'The deletion is staged: visitors get the rule until the next publish.',
    scope: 'flags:write',
    data: z.null(),
    conditional: true,
    async handle({ params: { ruleId }, found, by, ifMatch }) {
      const result = await deleteRule(db, by, ifMatch, { ...which(found), ruleId })
      return isRefusal(result) ? result : { data: null }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:ruleId/duplicate`,
    operationId: 'duplicateRule',
    summary: 'Duplicate a rule',
    description: 'The copy comes after the original and is paused.',
    scope: 'flags:write',
    data: ruleSchema,
    etag: true,
    status: 201,
    async handle({ params: { ruleId }, found, by }) {
      return answerOne(await duplicateRule(db, by, { ...which(found), ruleId }))
    },
  })

  async function findRules(params: EnvironmentPath, caller: InOrganization): Promise<RulesOfFlag | undefined> {
    const flag = await findFlag(db, caller.organization.id, params)
    const row = flag && (await findFlagEnvironment(db, flag.id, params.envId))
    if (!row) return undefined
    const { envId, enabled, live, draft } = row
    return { flag, context: { flag, envId, enabled, live, draft, rows: await findRuleRows(db, row) } }
  }
}

interface EnvironmentPath {
  projectId: string
  flagId: string
  envId: string
}

function answerOne(result: { ruleId: string; context: RuleContext } | Refusal) {
  if (isRefusal(result)) return result
  const { ruleId, context } = result
  const data = presentRules(context).find(({ id }) => id === ruleId)
  const row = context.rows.find(({ id }) => id === ruleId)
  return data && row ? { data, etag: versionEtag('rule', row.version) } : notFound('Rule')
}
