import type { RuleRow } from '../../model/rules/index.ts'
import type { RuleDefinition } from '../../model/versions/index.ts'
import { type Version, variationKey } from '../../model/versions/index.ts'
import { engineVersion } from './figures.ts'
import { sendsExposures, settingsOf } from './measured.ts'
import type { Results } from './schema.ts'

const sequentialTuningParameter = 5000
const allWeights = 10_000

export interface ResultsOf {
  rule: RuleDefinition
  version: Version
  row: RuleRow
  status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
}

/** The results of a rule without exposures: every number is that of zero units. */
export function emptyResults({ rule, version, row, status }: ResultsOf, now: Date): Results {
  const startedAt = row.firstServedAt
  return {
    ruleId: rule.id,
    flagId: row.flagId,
    envId: row.envId,
    ruleType: rule.type,
    ruleStatus: status,
    generatedAt: now.toISOString(),
    dataThrough: null,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: null,
    runtimeDays: startedAt ? runtimeDays(startedAt, now) : 0,
    engineVersion,
    settings: settingsOf(rule, { first: rule }, sequentialTuningParameter),
    units: {
      total: 0,
      excluded: { crossover: 0, bot: 0, override: 0, paused: 0 },
      variations: sharesOf(rule).map(({ variationId, weight }) => ({
        variationId,
        key: variationKey(version, variationId),
        isBaseline: rule.type === 'AB_TEST' && rule.baselineVariationId === variationId,
        weight: weight / allWeights,
        expectedShare: weight / allWeights,
        units: 0,
        share: null,
      })),
    },
    health: { status: sendsExposures(rule) ? 'NOT_ENOUGH_DATA' : 'NOT_MEASURED', checks: [] },
    metrics: [],
    dimensions: [],
    progress: null,
    recommendation:
      rule.type === 'AB_TEST' ? { action: 'KEEP_RUNNING', variationId: null, reasons: ['NO_EXPOSURES'] } : null,
  }
}

function sharesOf(rule: RuleDefinition) {
  return rule.type === 'AB_TEST' ? rule.variations : [{ variationId: rule.variationId, weight: allWeights }]
}

const millisecondsPerDay = 86_400_000

const runtimeDays = (startedAt: Date, now: Date): number =>
  Math.round(((now.getTime() - startedAt.getTime()) / millisecondsPerDay) * 10) / 10
