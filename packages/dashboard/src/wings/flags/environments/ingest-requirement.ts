import type { Environment } from '../../../shell/place.ts'

export type Requirement = Environment['ingestKeyRequiredFor']

interface Words {
  label: string
  /** Who can send which events then. */
  effect: string
}

/** From the most open to the strictest. */
export const requirements: Record<Requirement, Words> = {
  NONE: { label: 'Nothing', effect: 'Events count without an ingest key.' },
  TRACKED_EVENTS: {
    label: 'Tracked events',
    effect: 'Orders and other tracked events count only with a key. Exposures of pages count without one.',
  },
  ALL: {
    label: 'Exposures and tracked events',
    effect: 'Nothing counts without a key. This suits tests that only servers run.',
  },
}

const strictness: readonly Requirement[] = ['NONE', 'TRACKED_EVENTS', 'ALL']

/** What stops counting when the requirement changes; undefined if nothing does. */
export function lossOf(before: Requirement, after: Requirement): string | undefined {
  if (strictness.indexOf(after) <= strictness.indexOf(before)) return undefined
  if (after === 'TRACKED_EVENTS') return 'Tracked events without a key, such as those that pages send, stop counting.'
  return before === 'NONE'
    ? 'Exposures and tracked events without a key stop counting: pages no longer add to any result.'
    : 'Exposures without a key stop counting, too: pages no longer add to any result.'
}
