import type { Condition } from '../../../ui/conditions/conditions.ts'
import { counted } from '../../../ui/words/lists.ts'
import {
  bodyOf as bodyOfRule,
  newValues,
  type RuleValues,
  roles,
  labels as ruleLabels,
} from '../../flags/rules/rule-form.ts'
import type { Experiment } from './experiment.ts'
import { type PausingCheck, pausingChecks } from './experiment-words.ts'

export type ExperimentValues = RuleValues & {
  hypothesis: string
  plannedUnits: string
  /** With more visitors than this, health warns. */
  maxUnits: string
  /** Whether results are read at any time, or once at the end. */
  test: Experiment['statistics']['test']
  tags: string[]
  autoPause: PausingCheck[]
}

export const labels: Record<keyof ExperimentValues, string> = {
  ...ruleLabels,
  hypothesis: 'Hypothesis',
  plannedUnits: 'Planned visitors',
  maxUnits: 'Visitor limit',
  test: 'When results are read',
  tags: 'Tags',
  autoPause: 'Auto-pause',
}

export const newExperiment = (flag: Parameters<typeof newValues>[0]): ExperimentValues => ({
  hypothesis: '',
  ...newValues(flag),
  plannedUnits: '',
  maxUnits: '',
  test: 'SEQUENTIAL',
  tags: [],
  autoPause: [],
})

export const valuesOf = (experiment: Experiment): ExperimentValues => ({
  hypothesis: experiment.hypothesis ?? '',
  name: experiment.name,
  description: experiment.description ?? '',
  audienceIds: experiment.audienceIds,
  conditions: experiment.conditions as Condition,
  trafficAllocation: experiment.trafficAllocation,
  bucketBy: experiment.bucketBy,
  variationKey: '',
  exposures: false,
  variations: experiment.variations.map(({ key, weight }) => ({ variationKey: key, weight })),
  baselineVariationKey: experiment.baselineVariationKey,
  metrics: roles.flatMap((role) => experiment.metrics[role].map((key) => ({ key, role }))),
  exclusionGroupId: experiment.exclusionGroupId ?? '',
  holdoutId: experiment.holdoutId ?? '',
  sticky: experiment.sticky,
  always: experiment.allowlist.flatMap(({ variationKey, userIds }) => userIds.map((id) => ({ id, variationKey }))),
  plannedUnits: experiment.statistics.plannedUnitsPerVariation?.toLocaleString('en') ?? '',
  maxUnits: experiment.statistics.maxUnits?.toLocaleString('en') ?? '',
  test: experiment.statistics.test,
  tags: experiment.tags,
  autoPause: pausingChecks.flatMap(({ check }) => (experiment.autoPause[check] ? [check] : [])),
})

/** What of the form belongs in the body: what an A/B rule has, in the words of experiments. */
export function bodyOf(values: ExperimentValues, base?: ExperimentValues): Record<string, unknown> {
  const { variations, ...rule } = bodyOfRule('AB_TEST', values, base)
  const differs = (field: keyof ExperimentValues) =>
    base === undefined || JSON.stringify(values[field]) !== JSON.stringify(base[field])
  return {
    ...rule,
    ...(variations !== undefined && {
      variations: values.variations.map(({ variationKey, weight }) => ({ key: variationKey, weight })),
    }),
    ...(differs('hypothesis') && { hypothesis: values.hypothesis.trim() || null }),
    ...(differs('tags') && { tags: values.tags }),
    ...(differs('autoPause') && {
      autoPause: Object.fromEntries(pausingChecks.map(({ check }) => [check, values.autoPause.includes(check)])),
    }),
    ...(differs('always') && (base || values.always.length > 0) && { allowlist: allowlistOf(values.always) }),
  }
}

function allowlistOf(always: RuleValues['always']) {
  const keys = [...new Set(always.map(({ variationKey }) => variationKey))]
  return keys.map((variationKey) => ({
    variationKey,
    userIds: always.filter((each) => each.variationKey === variationKey).map(({ id }) => id),
  }))
}

const countIn = (text: string): number | null => Number(text.replaceAll(',', '')) || null

export function creationOf(
  values: ExperimentValues,
  place: { flagId?: string; envId: string },
): Record<string, unknown> {
  const planned = countIn(values.plannedUnits)
  const most = countIn(values.maxUnits)
  const statistics = {
    ...(planned && { plannedUnitsPerVariation: planned }),
    ...(most && { maxUnits: most }),
    ...(values.test !== 'SEQUENTIAL' && { test: values.test }),
  }
  return { ...bodyOf(values), ...place, ...(Object.keys(statistics).length > 0 && { statistics }) }
}

/**
 * The fields that were edited. The statistics are replaced whole, so the body also has those that the form does not
 * show.
 */
export function updateOf(values: ExperimentValues, experiment: Experiment): Record<string, unknown> {
  const base = valuesOf(experiment)
  const body = bodyOf(values, base)
  const statistics = {
    test: values.test,
    plannedUnitsPerVariation: countIn(values.plannedUnits),
    maxUnits: countIn(values.maxUnits),
  }
  const { test, plannedUnitsPerVariation, maxUnits } = experiment.statistics
  const isSame = JSON.stringify(statistics) === JSON.stringify({ test, plannedUnitsPerVariation, maxUnits })
  return {
    ...body,
    // Without its name, a variation of a web experiment would be called by its key.
    ...(experiment.flagId === null && body.variations !== undefined && { variations: namedSplit(values, experiment) }),
    ...(!isSame && { statistics: { ...experiment.statistics, ...statistics } }),
  }
}

const namedSplit = ({ variations }: ExperimentValues, experiment: Experiment) =>
  variations.map(({ variationKey: key, weight }) => {
    const name = experiment.variations.find((each) => each.key === key)?.name
    return { key, ...(name !== undefined && { name }), weight }
  })

/** The value of a field that rules do not have, for a conflict. */
export function ownWords(field: string, value: unknown): string | undefined {
  if (field === 'tags') return (value as string[]).join(', ') || 'none'
  if (field === 'autoPause')
    return (value as unknown[]).length === 0 ? 'never' : `for ${counted((value as unknown[]).length, 'check')}`
  if (field === 'test') return readWords[value as ExperimentValues['test']]
  return ['hypothesis', 'plannedUnits', 'maxUnits'].includes(field) ? String(value) || 'empty' : undefined
}

/** The rule of a field for a number of visitors. */
export const countRule = (text: string) =>
  /^(\d[\d,]*)?$/.test(text.trim()) ? undefined : 'Enter a number of visitors, or nothing.'

/** When results are read. */
export const readWords: Record<ExperimentValues['test'], string> = {
  SEQUENTIAL: 'at any time',
  FIXED_HORIZON: 'once, at the end',
}
