import { type AbTestRule, type DeliveryRule, defaultSalt, type Version } from '../../../model/versions/index.ts'

/** The rule that serves one variation of a test to its whole audience. It takes the key of the test, which leaves. */
export function deliveryOf(
  { key, name, description, audienceIds, conditions, bucketBy, hashVersion }: AbTestRule,
  { id, shortId, variationId }: { id: string; shortId: number; variationId: string },
): DeliveryRule {
  return {
    ...{ id, shortId, key, name, description, audienceIds, conditions, bucketBy, hashVersion, variationId },
    type: 'TARGETED_DELIVERY',
    trafficAllocation: 10_000,
    salt: defaultSalt(id),
  }
}

/** The version with the delivery in the place of the test. The allowlist of the test goes with it. */
export const rolledOut = (version: Version, ruleId: string, delivery: DeliveryRule): Version => ({
  ...version,
  rules: version.rules.map((rule) => (rule.id === ruleId ? delivery : rule)),
  overrides: {
    ...version.overrides,
    ruleAllowlists: version.overrides.ruleAllowlists.filter((list) => list.ruleId !== ruleId),
  },
})
