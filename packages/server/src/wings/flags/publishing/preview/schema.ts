import { z } from 'zod'

export const maxVisitors = 10_000
const maxKeyLength = 256

const visitorField = z
  .looseObject({ targetingKey: z.string().min(1).max(maxKeyLength) })
  .meta({ id: 'PreviewVisitor', description: 'The context as passed to the SDK: `targetingKey` and attributes.' })

export const visitorsField = z.union([visitorField.array().min(1).max(maxVisitors), z.literal('GENERATE')]).meta({
  description: `The visitors of a preview: 1 to ${maxVisitors}, or \`GENERATE\` for 1000 made from the attributes and values that the rules name. They are not stored.`,
})

export const previewSchema = z
  .object({
    visitors: z.int().meta({ description: 'How many visitors were evaluated.' }),
    changed: z.int().meta({ description: 'How many of them would get a different value of at least one flag.' }),
    flags: z
      .object({
        flagId: z.string().nullable(),
        experimentId: z
          .string()
          .nullable()
          .meta({ description: 'The web experiment, whose `flagId` is null; null for a flag.' }),
        key: z.string(),
        changed: z.int().meta({ description: 'How many visitors would get a different value.' }),
        moves: z
          .object({
            from: z.string().nullable().meta({ description: 'The variation that they get now.' }),
            to: z.string().nullable().meta({
              description:
                'The variation that they would get. Equal to `from` if only the value of the variation changes.',
            }),
            visitors: z.int(),
            ruleId: z.string().nullable().meta({
              description: 'The rule that would decide. Null for the default and the overrides of the environment.',
            }),
            examples: z.string().array().meta({ description: 'Targeting keys of up to 3 of these visitors.' }),
          })
          .array()
          .meta({ description: 'The largest first, at most 100.' }),
      })
      .array()
      .meta({
        description:
          'The flags that the publish would change, including those that are the same for all these visitors.',
      }),
  })
  .meta({
    id: 'PublishPreview',
    example: {
      visitors: 1000,
      changed: 241,
      flags: [
        {
          flagId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
          experimentId: null,
          key: 'one-page-checkout',
          changed: 241,
          moves: [
            {
              from: 'off',
              to: 'on',
              visitors: 241,
              ruleId: '0198f2c6-8c1e-7c44-9a35-1d2f6c0b5e12',
              examples: ['visitor-1', 'visitor-5', 'visitor-9'],
            },
          ],
        },
      ],
    },
  })
