import { isDeepStrictEqual } from 'node:util'
import type { AbTestRule, RuleDefinition } from '../../../model/versions/index.ts'

export const warningCodes = [
  'FLAG_PAUSED',
  'NO_PRIMARY_METRIC',
  'NO_VISITORS',
  'VISITORS_REASSIGNED',
  'AUDIENCE_CHANGED',
  'STATISTICS_CHANGED',
  'EXCLUSION_GROUP_GONE',
  'NO_PAGES',
  'NO_CHANGES',
  'HOST_NOT_ALLOWED',
  'SCRIPT_NOT_SEEN',
  'SELECTOR_OVERLAP',
  'REDIRECT_TARGET_IS_A_PAGE',
  'REDIRECT_LEAVES_SITE',
  'REDIRECT_LEAVES_HTTPS',
  'ACTIVATION_CHANGED',
  'ROLL_OUT_ENDS',
] as const

export interface Warning {
  code: (typeof warningCodes)[number]
  message: string
}

const noPrimaryMetric: Warning = {
  code: 'NO_PRIMARY_METRIC',
  message:
    'The experiment has no primary metric, so its results contain no recommendation. Add a primary metric before you decide.',
}

export const exclusionGroupGone: Warning = {
  code: 'EXCLUSION_GROUP_GONE',
  message: 'The exclusion group of the test was deleted, so the test no longer belongs to one.',
}

/** A web experiment serves its winner until it is archived, which is the time to build it into the site. */
export const rollOutEnds = (variationKey: string): Warning => ({
  code: 'ROLL_OUT_ENDS',
  message: `Visitors no longer get ${variationKey}. Make sure that it is built into the site.`,
})

const noVisitors = ({ name }: RuleDefinition): Warning => ({
  code: 'NO_VISITORS',
  message: `The rule ${name} comes first and takes every visitor of the experiment. Move the rule of the experiment before it, or end that rule.`,
})

/** What to look at in a test that begins to serve. `earlier`: the rules that visitors meet before it. */
export function startWarnings(test: AbTestRule, earlier: readonly RuleDefinition[]): Warning[] {
  const inTheWay = earlier.find((rule) => takesAllOf(test, rule))
  return [...(test.metrics.primary.length > 0 ? [] : [noPrimaryMetric]), ...(inTheWay ? [noVisitors(inTheWay)] : [])]
}

const allTraffic = 10_000
const everybody = { all: [] }

/** Whether a rule leaves no visitor to a later test: it is for everybody or for the same visitors, with all of the traffic. */
function takesAllOf(test: AbTestRule, rule: RuleDefinition): boolean {
  const { audienceIds, conditions, trafficAllocation, bucketBy } = rule
  // A visitor without the attribute passes both rules by, if both are by the same one.
  if (trafficAllocation < allTraffic || bucketBy !== test.bucketBy) return false
  if (rule.type === 'AB_TEST' && (rule.exclusion || rule.holdout)) return false
  return (
    (audienceIds.length === 0 && isDeepStrictEqual(conditions, everybody)) ||
    (isDeepStrictEqual(audienceIds, test.audienceIds) && isDeepStrictEqual(conditions, test.conditions))
  )
}
