import type { AbTestRule, DeliveryRule, RuleDefinition, Version } from '../src/wings/model/versions/index.ts'

export const on = { id: 'v-on', key: 'on', value: 'true' }
export const off = { id: 'v-off', key: 'off', value: 'false' }

const shared = (id: string) => ({
  id,
  // One number for each letter that tests use as a rule id.
  shortId: id.charCodeAt(0) - 96,
  key: `rule-${id}`,
  name: `Rule ${id}`,
  description: null,
  audienceIds: [],
  conditions: { all: [] },
  bucketBy: 'targetingKey',
  trafficAllocation: 10_000,
  salt: id,
  hashVersion: 1 as const,
})

export const deliveryRule = (id: string, edit: Partial<DeliveryRule> = {}): DeliveryRule => ({
  ...shared(id),
  type: 'TARGETED_DELIVERY',
  variationId: on.id,
  ...edit,
})

export const abTest = (id: string, edit: Partial<AbTestRule> = {}): AbTestRule => ({
  ...shared(id),
  type: 'AB_TEST',
  hypothesis: null,
  variations: [
    { variationId: on.id, weight: 5000 },
    { variationId: off.id, weight: 5000 },
  ],
  baselineVariationId: off.id,
  metrics: { primary: [], secondary: [], guardrails: [] },
  statistics: { test: 'SEQUENTIAL', alpha: 0.05, correction: 'HOLM', cuped: false, conversionWindowHours: 168 },
  exclusion: null,
  holdout: null,
  sticky: false,
  ...edit,
})

/** A boolean flag in one environment, with these rules in this order. */
export const versionOf = (rules: RuleDefinition[] = [], edit: Partial<Version> = {}): Version => ({
  variations: [on, off],
  pausedVariationId: off.id,
  defaultVariationId: off.id,
  overrides: { environmentAllowlist: [], ruleAllowlists: [] },
  rules,
  ...edit,
})
