import { expect, test } from 'vitest'
import { deliveryRule, versionOf } from '../../../../testing/versions.ts'
import { isRefusal } from '../../../catalogue/refusals.ts'
import type { FlagStatus } from './status.ts'
import { pause, refusesTransition, run, type Transition, withRuleLive } from './transitions.ts'

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
