import { expect, test } from 'vitest'
import { deliveryRule, off, on, versionOf } from '../../../../../testing/versions.ts'
import { maxOverrideIds, parseOverrides, type RequestedOverrides } from './overrides.ts'

const draft = versionOf([deliveryRule('a'), deliveryRule('b')])
const ids = (count: number) => Array.from({ length: count }, (_, index) => `u-${index}`)
const entry = (variationKey: string, ...userIds: string[]) => ({ variationKey, userIds })
const list = (...environmentAllowlist: RequestedOverrides['environmentAllowlist']): RequestedOverrides => ({
  environmentAllowlist,
  ruleAllowlists: [],
})

test('variations are stored by id', () => {
  const requested = {
    environmentAllowlist: [entry('on', 'u-1')],
    ruleAllowlists: [{ ruleId: 'b', entries: [entry('off', 'u-1')] }],
  }
  expect(parseOverrides(requested, draft)).toEqual({
    environmentAllowlist: [{ variationId: on.id, userIds: ['u-1'] }],
    ruleAllowlists: [{ ruleId: 'b', entries: [{ variationId: off.id, userIds: ['u-1'] }] }],
  })
})

test('1,000 ids in all lists are accepted', () => {
  const { environmentAllowlist } = list(entry('on', ...ids(maxOverrideIds - 1)))
  const ruleAllowlists = [{ ruleId: 'a', entries: [entry('on', 'u-1')] }]
  expect(parseOverrides({ environmentAllowlist, ruleAllowlists }, draft)).not.toHaveProperty('refusal')
})

test.each<[string, RequestedOverrides, PropertyKey[]]>([
  ['an unknown variation', list(entry('maybe', 'u-1')), ['environmentAllowlist', 0, 'variationKey']],
  [
    'a user in two variations',
    list(entry('on', 'u-1'), entry('off', 'u-1')),
    ['environmentAllowlist', 1, 'userIds', 0],
  ],
  ['a repeated user in one variation', list(entry('on', 'u-1', 'u-1')), ['environmentAllowlist', 0, 'userIds', 1]],
  ['more than 1,000 ids', list(entry('on', ...ids(maxOverrideIds + 1))), []],
  [
    'an unknown rule',
    { environmentAllowlist: [], ruleAllowlists: [{ ruleId: 'z', entries: [] }] },
    ['ruleAllowlists', 0, 'ruleId'],
  ],
  [
    'a repeated rule',
    {
      environmentAllowlist: [],
      ruleAllowlists: [
        { ruleId: 'a', entries: [] },
        { ruleId: 'a', entries: [] },
      ],
    },
    ['ruleAllowlists', 1, 'ruleId'],
  ],
  [
    'a user in two variations of a rule',
    { environmentAllowlist: [], ruleAllowlists: [{ ruleId: 'a', entries: [entry('on', 'u'), entry('off', 'u')] }] },
    ['ruleAllowlists', 0, 'entries', 1, 'userIds', 0],
  ],
])('%s is refused with its path', (_what, requested, path) => {
  expect(parseOverrides(requested, draft)).toMatchObject({
    refusal: 'validation_failed',
    details: { issues: [{ path }] },
  })
})
