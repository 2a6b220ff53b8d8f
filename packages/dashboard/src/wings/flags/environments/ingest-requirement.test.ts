import { expect, it } from 'vitest'
import { lossOf, type Requirement } from './ingest-requirement.ts'

it.each<[Requirement, Requirement, string | undefined]>([
  ['NONE', 'NONE', undefined],
  ['NONE', 'TRACKED_EVENTS', 'Tracked events without a key, such as those that pages send, stop counting.'],
  ['NONE', 'ALL', 'Exposures and tracked events without a key stop counting: pages no longer add to any result.'],
  ['TRACKED_EVENTS', 'NONE', undefined],
  ['TRACKED_EVENTS', 'ALL', 'Exposures without a key stop counting, too: pages no longer add to any result.'],
  ['ALL', 'TRACKED_EVENTS', undefined],
  ['ALL', 'NONE', undefined],
])('says what stops counting from %s to %s', (before, after, loss) => expect(lossOf(before, after)).toBe(loss))
