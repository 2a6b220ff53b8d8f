import { z } from 'zod'

const conditions = z.unknown().meta({ description: 'A tree of targeting conditions. Default: matches every visitor.' })
const variationByUser = z.record(z.string(), z.string())

const ruleSchema = z
  .looseObject({
    id: z.string().meta({ description: 'The short id of the rule.' }),
    type: z.enum(['TARGETED_DELIVERY', 'AB_TEST']),
    when: conditions.optional(),
    bucketBy: z.string().array().optional().meta({
      description: 'The attributes that make up the bucketing unit. Default: the targeting key.',
    }),
    hashVersion: z.int().optional().meta({ description: 'Default: 1.' }),
    salt: z.string(),
    traffic: z.int().optional().meta({ description: 'Traffic allocation in basis points. Default: 10000.' }),
    variation: z.string().optional().meta({ description: 'For a targeted delivery only: the variation to give.' }),
    split: z
      .object({ variation: z.string(), end: z.int() })
      .array()
      .optional()
      .meta({ description: 'For an A/B test only: `end` is the exclusive upper bound of the buckets of a variation.' }),
    overrides: variationByUser.optional(),
    group: z.string().optional().meta({ description: 'Key of the exclusion group.' }),
    holdout: z.string().optional().meta({ description: 'Key of the holdout.' }),
    sticky: z.boolean().optional(),
  })
  .meta({ id: 'DataFileRule' })

const flagSchema = z
  .looseObject({
    id: z.string(),
    type: z.enum(['BOOLEAN', 'STRING', 'NUMBER', 'JSON']),
    enabled: z.boolean().meta({ description: 'If false, every visitor gets the default variation.' }),
    variations: z.record(z.string(), z.string()).meta({ description: 'Values by variation key, as texts.' }),
    defaultVariation: z.string(),
    overrides: variationByUser.optional().meta({ description: 'Variation keys by user id, or by its hash.' }),
    overrideSalt: z.string().optional().meta({ description: 'If present, users are named by hashes with this salt.' }),
    rules: ruleSchema.array().optional().meta({ description: 'Running rules in evaluation order.' }),
  })
  .meta({ id: 'DataFileFlag' })

/** What an environment serves, as `DataFile` of core. SDKs ignore fields that they do not know. */
export const dataFileSchema = z
  .looseObject({
    schemaVersion: z.literal(1),
    revision: z.int().meta({ description: 'Grows by one with every change.' }),
    environment: z.object({ id: z.string(), key: z.string() }),
    publishedAt: z.iso.datetime().nullable().meta({ description: 'Null before the first publish.' }),
    audiences: z.record(z.string(), z.unknown()).meta({ description: 'Conditions by audience id.' }),
    segments: z.record(z.string(), z.unknown()).optional().meta({
      description: 'Members by segment id. Absent if no rule uses a segment.',
    }),
    exclusionGroups: z.record(z.string(), z.unknown()).meta({ description: 'Slots by exclusion group key.' }),
    holdouts: z.record(z.string(), z.unknown()).optional().meta({
      description: 'Shares of visitors by holdout key. Absent if no rule has a holdout.',
    }),
    flags: z.record(z.string(), flagSchema).meta({ description: 'By flag key.' }),
    events: z.record(z.string(), z.unknown()).meta({ description: 'By event key.' }),
  })
  .meta({
    id: 'DataFile',
    description: 'What an environment serves. The page “SDKs in other languages” specifies how to evaluate it.',
    example: {
      schemaVersion: 1,
      revision: 42,
      environment: { id: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', key: 'production' },
      publishedAt: '2026-11-20T10:00:00.000Z',
      audiences: {},
      exclusionGroups: {},
      flags: {
        'new-checkout': {
          id: '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00',
          type: 'BOOLEAN',
          enabled: true,
          variations: { on: 'true', off: 'false' },
          defaultVariation: 'off',
          rules: [
            {
              id: '1',
              type: 'AB_TEST',
              salt: 'k3v9x2qd',
              traffic: 5000,
              split: [
                { variation: 'off', end: 5000 },
                { variation: 'on', end: 10000 },
              ],
            },
          ],
        },
      },
      events: {},
    },
  })

export const sdkKeyField = z.string().meta({ description: 'The SDK key of the environment. It is public.' })
