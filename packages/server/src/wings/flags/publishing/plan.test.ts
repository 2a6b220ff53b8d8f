import { expect, test } from 'vitest'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { invisibleEdits, type Launched, planPublish, testEvents } from './plan.ts'

const production = { id: 'e', name: 'Production' }
const summary = { id: 'f', shortId: 1, key: 'flag', name: 'Flag', status: 'RUNNING' as const }
const audience = {
  ...{ id: 'a', shortId: 2, key: 'benelux', name: 'Benelux' },
  ...{ live: { all: [] }, draft: { any: [] }, edited: null },
}
const flag = (live = versionOf(), draft = versionOf()) => ({
  flagId: 'f',
  key: 'flag',
  live,
  draft,
  experiment: null,
})

const experiment = (ruleId: string, status: Launched['status'] = 'RUNNING'): Launched => ({
  id: `x-${ruleId}`,
  shortId: 3,
  name: 'Test',
  status,
  flagId: 'f',
  ruleId,
})
const withDefaultOn = flag(versionOf(), versionOf([], { defaultVariationId: on.id }))
const withNewSalt = flag(versionOf([abTest('t')]), versionOf([abTest('t', { salt: 'another' })]))
const withoutRule = flag(versionOf([deliveryRule('r'), deliveryRule('s')]), versionOf([deliveryRule('s')]))
const withAllowlist = flag(
  versionOf([abTest('t')]),
  versionOf([abTest('t')], {
    overrides: {
      environmentAllowlist: [],
      ruleAllowlists: [{ ruleId: 't', entries: [{ variationId: on.id, userIds: ['u-17'] }] }],
    },
  }),
)

const defaultChange = { path: 'defaultVariationKey', from: off.key, to: on.key }
const noChanges = { staged: false, flags: 0, audiences: 0, reassignments: 0, drops: [], tests: [] }

/** What a case expects besides `noChanges`: numbers of flags, audiences and reassignments, and changed paths of tests. */
test.each([
  ['nothing is staged', [], [], [], {}],
  ['an edited default', [withDefaultOn], [], [], { staged: true, flags: 1 }],
  ['an edited audience', [], [audience], [], { staged: true, audiences: 1 }],
  ['both', [withDefaultOn], [audience], [], { staged: true, flags: 1, audiences: 1 }],
  ['a deleted rule', [withoutRule], [], [], { staged: true, flags: 1, drops: ['r'] }],
  ['a new salt of a test', [withNewSalt], [], [], { staged: true, flags: 1, reassignments: 1 }],
  [
    'the same of a launched experiment',
    [withNewSalt],
    [],
    [experiment('t')],
    { staged: true, flags: 1, reassignments: 1, tests: [['x-t', 'salt']] },
  ],
  [
    'the allowlist of a launched experiment',
    [withAllowlist],
    [],
    [experiment('t')],
    { staged: true, flags: 1, tests: [['x-t', 'allowlist']] },
  ],
  ['an experiment of a rule that stays the same', [withDefaultOn], [], [experiment('t')], { staged: true, flags: 1 }],
] as const)('a publish is planned for %s', (_what, flags, audiences, experiments, expected) => {
  const { summary, drops, tests } = planPublish(flags, audiences, experiments)
  expect({
    staged: summary.staged,
    flags: summary.flags.length,
    audiences: summary.audiences.length,
    reassignments: summary.reassignments.length,
    drops,
    tests: tests.map(({ experiment, changes }) => [experiment.id, ...changes.map(({ path }) => path)]),
  }).toEqual({ ...noChanges, ...expected })
})

test('the plan lists staged flags and audiences with their differences', () => {
  const { summary } = planPublish([withDefaultOn], [audience], [])
  expect(summary.flags).toMatchObject([{ key: 'flag', changes: [defaultChange] }])
  expect(summary.audiences).toMatchObject([
    { audienceId: 'a', changes: [{ path: 'conditions', from: { all: [] }, to: { any: [] } }] },
  ])
})

test('the plan says which share of visitors a test reassigns', () => {
  expect(planPublish([withNewSalt], [], []).summary.reassignments).toEqual([{ ruleId: 't', share: 0.5 }])
})

test.each([
  ['RUNNING', 'experiment.changes_published', { revision: 4, previousRevision: 3, etag: '"e"' }],
  ['PAUSED', 'experiment.updated', undefined],
] as const)('a %s experiment whose test changes causes %s', (status, name, dataFile) => {
  const { tests } = planPublish([withNewSalt], [], [experiment('t', status)])
  const events = testEvents(tests, { revision: 4, previousRevision: 3, etag: '"e"', script: null })
  const { id, shortId } = experiment('t')
  const summary = { id, shortId, name: 'Test', status, previousStatus: status }
  expect(events).toMatchObject([{ name, payload: { experiment: summary, ...(dataFile && { dataFile }) } }])
})

test('edits that the data file does not show cause events without the visitor ids of overrides', () => {
  const overrides = { environmentAllowlist: [{ variationId: on.id, userIds: ['u-17'] }], ruleAllowlists: [] }
  const live = versionOf([deliveryRule('r')])
  const draft = versionOf([deliveryRule('r', { name: 'Renamed' })], { overrides })
  const [event, ...more] = invisibleEdits(production, [summary], [flag(live, draft)], [audience])
  expect(event).toMatchObject({
    name: 'flag.updated',
    payload: { environment: production, rules: [{ name: 'Renamed' }] },
  })
  expect(JSON.stringify(event)).toContain('"path":"overrides","from":null,"to":null')
  expect(JSON.stringify(event)).not.toContain('u-17')
  expect(more).toEqual([
    {
      name: 'audience.updated',
      payload: { audience: { id: 'a', shortId: 2, key: 'benelux', name: 'Benelux' }, environment: production },
    },
  ])
})
