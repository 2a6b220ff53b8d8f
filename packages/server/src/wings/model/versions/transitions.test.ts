import { describe, expect, test } from 'vitest'
import { abTest, deliveryRule, on, versionOf } from '../../../../testing/versions.ts'
import { isRefusal } from '../../../catalogue/refusals.ts'
import type { FlagStatus } from './status.ts'
import { pause, refusesTransition, run, type Transition, withRuleLive, withTestLive } from './transitions.ts'
import type { Version } from './version.ts'

const live = versionOf([deliveryRule('a')])
const draft = versionOf([deliveryRule('a'), deliveryRule('b')])
const row = { enabled: false, published: false, live, draft }

test.each([
  ['the first run makes the draft live', run(row), { enabled: true, published: true, live: draft }],
  ['a later run keeps the draft staged', run({ ...row, published: true }), { enabled: true, published: true, live }],
  ['a pause changes no version', pause({ ...row, enabled: true }), { enabled: false, published: false, live }],
])('%s', (_what, after, expected) => {
  expect(after).toEqual({ ...expected, draft })
})

test('a rule that was never published goes live without other changes', () => {
  const staged = versionOf([deliveryRule('a', { name: 'Edited' }), deliveryRule('b')])
  const after = withRuleLive({ live, draft: staged }, 'b')
  expect(isRefusal(after) || after.rules.map(({ name }) => name)).toEqual(['Rule a', 'Rule b'])
})

test('a live rule stays unchanged', () => {
  expect(withRuleLive(row, 'a')).toBe(live)
})

describe('a launch', () => {
  const allowing = (userId: string, ...ruleIds: string[]) => ({
    environmentAllowlist: [{ variationId: on.id, userIds: [userId] }],
    ruleAllowlists: ruleIds.map((ruleId) => ({ ruleId, entries: [{ variationId: on.id, userIds: [userId] }] })),
  })
  const listsOf = (version: unknown) => (version as Version).overrides.ruleAllowlists.map(({ ruleId }) => ruleId)
  const before = versionOf([deliveryRule('a'), abTest('t'), deliveryRule('b')], {
    overrides: allowing('old', 'a', 't'),
  })

  test('takes the test live as drafted, at its place, with its allowlist and nothing else', () => {
    const edited = abTest('t', { trafficAllocation: 1 })
    const staged = versionOf([deliveryRule('a', { name: 'Edited' }), deliveryRule('b'), edited, deliveryRule('c')], {
      overrides: allowing('new', 't', 'a'),
    })
    const { overrides } = before
    expect(withTestLive({ live: before, draft: staged }, 't')).toEqual({
      ...before,
      rules: [deliveryRule('a'), deliveryRule('b'), edited],
      overrides: {
        ...overrides,
        ruleAllowlists: [staged.overrides.ruleAllowlists[0], overrides.ruleAllowlists[0]],
      },
    })
  })

  test('leaves nothing staged if only the test was', () => {
    const staged = versionOf([deliveryRule('a'), abTest('t', { sticky: true }), deliveryRule('b')], {
      overrides: { ...allowing('old', 'a'), ruleAllowlists: allowing('old', 't', 'a').ruleAllowlists },
    })
    expect(withTestLive({ live: before, draft: staged }, 't')).toEqual(staged)
  })

  test('removes an allowlist that the draft no longer has', () => {
    expect(listsOf(withTestLive({ live: before, draft: versionOf(before.rules) }, 't'))).toEqual(['a'])
  })

  test('is refused if the allowlist names a variation that is not live', () => {
    const entries = [{ variationId: 'v-new', userIds: ['qa'] }]
    const overrides = { environmentAllowlist: [], ruleAllowlists: [{ ruleId: 't', entries }] }
    const staged = versionOf(before.rules, { overrides })
    expect(withTestLive({ live: before, draft: staged }, 't')).toMatchObject({
      details: { references: [{ type: 'variation', id: 'v-new' }] },
    })
  })
})

test('a rule with a variation that is not live is refused', () => {
  const fresh = { id: 'v-new', key: 'new', value: 'new' }
  const rules = [deliveryRule('b', { variationId: fresh.id })]
  const staged = versionOf(rules, { variations: [...live.variations, fresh] })
  expect(withRuleLive({ live, draft: staged }, 'b')).toMatchObject({
    refusal: 'invalid_state',
    details: { references: [{ type: 'variation', id: fresh.id }] },
  })
})

test('a rule in neither version is not found', () => {
  expect(withRuleLive(row, 'x')).toMatchObject({ refusal: 'not_found' })
})

test.each<[Transition, FlagStatus[]]>([
  ['archive', ['DRAFT', 'PAUSED', 'ARCHIVED']],
  ['unarchive', ['ARCHIVED']],
  ['delete', ['DRAFT', 'ARCHIVED']],
  ['run', ['DRAFT', 'PAUSED', 'RUNNING']],
])('%s is allowed only from %j', (transition, allowed) => {
  for (const status of ['DRAFT', 'PAUSED', 'RUNNING', 'ARCHIVED'] as const)
    expect(refusesTransition(transition, status) === undefined, status).toBe(allowed.includes(status))
})
