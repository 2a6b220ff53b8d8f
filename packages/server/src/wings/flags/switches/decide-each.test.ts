import { expect, test } from 'vitest'
import { deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { PublishedEnvironment } from '../../serving/datafile/index.ts'
import type { Flag, LockedFlag } from '../flags/index.ts'
import { type Asked, decideEach, placesOf } from './decide-each.ts'
import type { SwitchFacts } from './queries.ts'

const environment = { id: 'e' } as PublishedEnvironment
const by = { now: new Date('2026-11-20T09:00:00Z') } as Author
const plain = versionOf([deliveryRule('a')])
const namesAudience = versionOf([deliveryRule('a', { audienceIds: ['x'] })])

const locked = (id: string, draft = plain): LockedFlag => ({
  flag: {
    id,
    shortId: 1,
    key: id,
    name: id,
    type: 'BOOLEAN',
    version: 1,
    variations: [on, off].map((variation) => ({ ...variation, name: variation.key })),
    everEnabled: true,
    everArchived: false,
    archivedAt: null,
  } as Flag,
  row: {
    flagId: id,
    envId: 'e',
    envName: 'Production',
    enabled: false,
    draft,
    live: plain,
    published: draft === plain,
    lastPublishedRevision: null,
    stagedBy: {},
  },
})
const factsOf = (flagId: string): SwitchFacts => ({
  flagId,
  fragment: null,
  served: [],
  shortIds: { x: 7 },
  owners: [],
  enabledElsewhere: false,
  rules: [],
  scheduled: false,
})
const flags = [locked('f'), locked('g'), locked('firstRun', namesAudience)]
const places = placesOf(
  environment,
  flags,
  flags.map(({ flag }) => factsOf(flag.id)),
  [],
)
const run = (flagId: string): Asked => ({
  which: { orgId: 'o', projectId: 'p', flagId, envId: 'e' },
  by,
  move: { ruleId: null, enabled: true },
})

/** How each request is decided: `moved`, `alone` or the kind of its refusal. */
const decided = (...asked: Asked[]) =>
  decideEach(asked, places, (each) => ({ move: 'move' in each ? each.move : null })).map((each) =>
    each === null ? 'alone' : 'refusal' in each ? each.refusal : each.next.moved ? 'moved' : 'still',
  )

test.each([
  ['one flag', [run('f')], ['moved']],
  ['two flags', [run('f'), run('g')], ['moved', 'moved']],
  ['the same flag twice', [run('f'), run('f')], ['moved', 'alone']],
  ['a flag that does not exist, and one that does', [run('none'), run('g')], ['not_found', 'moved']],
  ['a flag whose first run names an audience', [run('firstRun')], ['moved']],
  ['such a flag among others', [run('f'), run('firstRun'), run('g')], ['moved', 'alone', 'moved']],
])('%s: each request is decided', (_what, asked, outcomes) => {
  expect(decided(...asked)).toEqual(outcomes)
})

test('a decision has the state of the flag after the switch', () => {
  const [decision] = decideEach([run('f')], places, () => ({ move: { ruleId: null, enabled: true } }))
  expect(decision).toMatchObject({ movesParts: false, state: { enabled: true, status: 'RUNNING', live: plain } })
})
