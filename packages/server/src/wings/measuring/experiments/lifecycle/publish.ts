import { type AbTestRule, reassigns, type Statistics, statisticsOf } from '../../../model/versions/index.ts'
import type { Warning } from './warnings.ts'

/** `visitors`: how many of those who were counted; null if that is not known. */
const reassigned = (visitors: number | null): Warning => {
  const who =
    visitors === null
      ? 'Visitors get'
      : `About ${visitors.toLocaleString('en')} counted ${visitors === 1 ? 'visitor gets' : 'visitors get'}`
  const message = `${who} a different variation, so a new phase begins. Results of different phases are not combined.`
  return { code: 'VISITORS_REASSIGNED', message }
}

const audienceChanged: Warning = {
  code: 'AUDIENCE_CHANGED',
  message: 'Results will mix visitors of the old and the new audience. Begin a new phase if the two can differ.',
}

const audienceFields: ReadonlySet<string> = new Set(['audienceIds', 'conditions'])

const statisticsChanged: Warning = {
  code: 'STATISTICS_CHANGED',
  message:
    'The new statistics settings apply to all results, including those that you have seen. Settings that you choose after seeing results can make chance look like proof. Begin a new phase to be safe.',
}

/** What decides when a result is significant. A plan is read when the test starts, and the other settings only warn. */
const judging: readonly (keyof Statistics)[] = [
  'test',
  'alpha',
  'correction',
  'cuped',
  'conversionWindowHours',
  'inProgressConversions',
  'minUnits',
  'minConversions',
]

const judgesAnew = (live: AbTestRule, draft: AbTestRule): boolean => {
  const [before, after] = [statisticsOf(live), statisticsOf(draft)]
  return judging.some((field) => before[field] !== after[field])
}

/** What to think of before a change of a running test is published. */
export function publishWarnings(
  live: AbTestRule,
  draft: AbTestRule,
  changes: readonly { path: string }[],
  reassignedVisitors: number | null,
): Warning[] {
  return [
    ...(reassigns(live, draft) ? [reassigned(reassignedVisitors)] : []),
    ...(changes.some(({ path }) => audienceFields.has(path)) ? [audienceChanged] : []),
    ...(judgesAnew(live, draft) ? [statisticsChanged] : []),
  ]
}

/** The draft of a test whose results restart with the publish. */
export const restarted = (live: AbTestRule, draft: AbTestRule, now: Date): AbTestRule => ({
  ...draft,
  restarts: [...(live.restarts ?? []), now.toISOString()],
})
