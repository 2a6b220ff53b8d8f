import { idField } from '../../../fields.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { findFlag, flagParams } from '../../flags/flags/index.ts'
import { ruleStatus } from '../../flags/rules/index.ts'
import { findFlagEnvironment } from '../../model/flag-environments/index.ts'
import { findRuleRows } from '../../model/rules/index.ts'
import { emptyResults, type ResultsOf } from './document.ts'
import { environmentOfRule } from './queries.ts'
import { resultsSchema } from './schema.ts'

export function resultRoutes(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/flags/:flagId/rules/:ruleId/results',
    operationId: 'getRuleResults',
    summary: 'Read one rule’s results',
    tag: 'Rule',
    scope: 'results:read',
    params: { ...flagParams, ruleId: idField },
    data: resultsSchema,
    find: findRule,
    handle: async ({ found }) => ({ data: emptyResults(found, now()) }),
  })

  async function findRule(
    params: { projectId: string; flagId: string; ruleId: string },
    caller: InOrganization,
  ): Promise<ResultsOf | undefined> {
    const { ruleId } = params
    const flag = isId(ruleId) ? await findFlag(db, caller.organization.id, params) : undefined
    const envId = flag && (await environmentOfRule(db, flag.id, ruleId))
    const row = envId ? await findFlagEnvironment(db, flag.id, envId) : undefined
    if (!flag || !row) return undefined
    const stored = (await findRuleRows(db, row)).find(({ id }) => id === ruleId)
    const holds = ({ rules }: { rules: { id: string }[] }) => rules.some(({ id }) => id === ruleId)
    const isLive = holds(row.live)
    // Results are about the live version. A rule that never went live is shown as drafted.
    const version = isLive ? row.live : row.draft
    const rule = version.rules.find(({ id }) => id === ruleId)
    if (!stored || !rule) return undefined
    const servedNow = isLive && row.enabled && stored.enabled && flag.archivedAt === null
    return { rule, version, row: stored, status: ruleStatus(stored, servedNow) }
  }
}
