import { expect, test } from 'vitest'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { invisibleEdits, stagedChanges } from './plan.ts'

const production = { id: 'e', name: 'Production' }
const summary = { id: 'f', shortId: 1, key: 'flag', name: 'Flag', status: 'RUNNING' as const }
const audience = {
  ...{ id: 'a', shortId: 2, key: 'benelux', name: 'Benelux' },
  ...{ live: { all: [] }, draft: { any: [] }, edited: null },
}
const flag = (live = versionOf(), draft = versionOf()) => ({ flagId: 'f', key: 'flag', live, draft })

test('there are no changes if nothing is staged', () => {
  expect(stagedChanges([], [])).toEqual({ staged: false, flags: [], audiences: [], reassignments: [] })
})

test('staged flags and audiences are listed with their differences', () => {
  const changes = stagedChanges([flag(versionOf(), versionOf([], { defaultVariationId: on.id }))], [audience])
  expect(changes).toMatchObject({
    staged: true,
    flags: [{ key: 'flag', changes: [{ path: 'defaultVariationKey', from: off.key, to: on.key }] }],
    audiences: [{ audienceId: 'a', changes: [{ path: 'conditions', from: { all: [] }, to: { any: [] } }] }],
  })
})

test('a test that reassigns its visitors is listed', () => {
  const live = versionOf([abTest('t')])
  const draft = versionOf([abTest('t', { salt: 'another' })])
  expect(stagedChanges([flag(live, draft)], []).reassignments).toEqual([{ ruleId: 't', share: 0.5 }])
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
