import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { projectNounRoutes } from '../../flags/projects/index.ts'
import { experimentsEndedWith, rulesMeasuring } from '../../model/metrics/index.ts'
import { metrics } from './actions.ts'
import { maxShownUses } from './metric.ts'
import type { Metric } from './queries.ts'
import { createMetricBody, metricSchema, updateMetricBody } from './schema.ts'

export function metricRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  projectNounRoutes(route, { db, cursors }, metrics, {
    writtenBy: 'metrics:write',
    data: metricSchema,
    present,
    create: {
      text: 'A/B tests name a metric by its `key` in their `metrics`.',
      body: createMetricBody,
    },
    update: {
      text: 'While a test that has started uses the metric, or an experiment has ended with it, only `name` and `archived` can change: other changes answer 409 `invalid_state` with `references`. Archive a metric that you no longer need: results keep it, and new rules cannot use it.',
      body: updateMetricBody,
    },
    texts: {
      delete: 'A metric that a rule uses, or that a published revision used, cannot be deleted. Archive it instead.',
    },
  })

  async function present(rows: Metric[]) {
    const keys = rows.map(({ key }) => key)
    const [first] = rows
    if (!first) return []
    const [uses, ended] = await Promise.all([
      rulesMeasuring(db, first.projectId, keys, maxShownUses),
      experimentsEndedWith(db, first.projectId, keys, 1),
    ])
    return rows.map(({ version: _version, createdAt, updatedAt, ...metric }) => {
      const own = uses.filter(({ named }) => named === metric.key)
      return {
        ...metric,
        inUse: own.some(({ begun }) => begun) || ended.some(({ named }) => named === metric.key),
        usedBy: own.map(({ use }) => use),
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      }
    })
  }
}
