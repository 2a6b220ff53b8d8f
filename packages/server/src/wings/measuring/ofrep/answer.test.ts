import { compile } from '@svc/core'
import { describe, expect, it } from 'vitest'
import { answerFor } from './answer.ts'

const flag = (more: object = {}) => ({
  id: 'f',
  type: 'BOOLEAN' as const,
  enabled: true,
  variations: { on: 'true', off: 'false' },
  defaultVariation: 'off',
  ...more,
})
const rule = (more: object = {}) => ({
  id: '3',
  salt: 's',
  type: 'TARGETED_DELIVERY' as const,
  variation: 'on',
  ...more,
})
const half = [
  { variation: 'off', end: 5_000 },
  { variation: 'on', end: 10_000 },
]
const evaluator = compile({
  schemaVersion: 1,
  revision: 42,
  environment: { id: 'env', key: 'production' },
  publishedAt: null,
  audiences: {},
  exclusionGroups: {},
  holdouts: { all: { salt: 'h', share: 10_000 } },
  flags: {
    paused: flag({ enabled: false }),
    overridden: flag({ overrides: { 'u-17': 'on' } }),
    delivered: flag({ rules: [rule()] }),
    split: flag({ rules: [{ id: '4', salt: 's', type: 'AB_TEST', split: half }] }),
    plain: flag(),
    unmatched: flag({ rules: [rule({ when: { any: [] } })] }),
    unitless: flag({ rules: [{ id: '4', salt: 's', type: 'AB_TEST', split: half, bucketBy: ['company'] }] }),
    heldOut: flag({ rules: [rule({ holdout: 'all', traffic: 5_000 })] }),
    malformed: flag({ defaultVariation: 'gone' }),
    words: flag({ type: 'STRING', variations: { off: 'plain' } }),
    amount: flag({ type: 'NUMBER', variations: { off: '0.25' } }),
    list: flag({ type: 'JSON', variations: { off: '[1,{"a":null}]' } }),
  },
  events: {},
})
const answer = (key: string) =>
  answerFor(key, evaluator.evaluate(key, { targetingKey: 'u-17' }), { envId: 'env', revision: 42 })

describe('the answer of the protocol', () => {
  it.each([
    ['paused', 'DISABLED', 'DISABLED', undefined],
    ['overridden', 'TARGETING_MATCH', 'OVERRIDE', undefined],
    ['delivered', 'TARGETING_MATCH', 'TARGETING_MATCH', '3'],
    ['split', 'SPLIT', 'SPLIT', '4'],
    ['plain', 'STATIC', 'DEFAULT', undefined],
    ['unmatched', 'STATIC', 'DEFAULT', undefined],
    ['unitless', 'STATIC', 'UNIT_MISSING', undefined],
    ['heldOut', 'STATIC', 'HOLDOUT', undefined],
  ])('for a flag that is %s has the reason %s and names ours, %s', (key, reason, svcReason, ruleId) => {
    const metadata = { flagSetId: 'env', version: '42', svcReason, ...(ruleId && { ruleId }) }
    expect(answer(key)).toMatchObject({ key, reason })
    expect(answer(key)).toHaveProperty('metadata', metadata)
  })

  it.each([
    ['plain', false],
    ['words', 'plain'],
    ['amount', 0.25],
    ['list', [1, { a: null }]],
  ])('has the value of %s in its own type', (key, value) => {
    expect(answer(key)).toMatchObject({ value, variant: 'off' })
  })

  it('says that a flag is unknown or cannot be read', () => {
    expect(answer('gone')).toEqual({
      key: 'gone',
      errorCode: 'FLAG_NOT_FOUND',
      errorDetails: 'Flag "gone" was not found in this environment.',
    })
    expect(answer('malformed')).toEqual({
      key: 'malformed',
      errorCode: 'PARSE_ERROR',
      errorDetails: 'Flag "malformed" cannot be read.',
    })
  })
})
