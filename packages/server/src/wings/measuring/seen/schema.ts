import { z } from 'zod'
import { timeField } from '../../../fields.ts'

const samplesVisitorsField = z.boolean().meta({
  description: 'Whether the project samples visitors. If it does not, the sample is empty.',
})

const sampleField = z
  .object({
    visitors: z.int().meta({ description: 'How many visitors the sample has, at most the newest 1,000.' }),
    from: timeField.nullable().meta({ description: 'When the first of them was seen. Null without visitors.' }),
    to: timeField.nullable().meta({ description: 'When the last of them was seen. Null without visitors.' }),
  })
  .meta({
    id: 'VisitorSample',
    example: { visitors: 1000, from: '2026-11-26T07:12:40.000Z', to: '2026-11-26T09:59:12.000Z' },
  })

const envId = '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'
const sample = { visitors: 1000, from: '2026-11-26T07:12:40.000Z', to: '2026-11-26T09:59:12.000Z' }

export const seenAttributesSchema = z
  .object({
    envId: z.string(),
    samplesVisitors: samplesVisitorsField,
    sample: sampleField,
    attributes: z
      .object({
        name: z.string(),
        types: z.enum(['STRING', 'NUMBER', 'BOOLEAN']).array(),
        visitors: z.int().meta({ description: 'How many visitors of the sample have the attribute.' }),
        values: z.union([z.string(), z.number(), z.boolean()]).array().meta({
          description:
            'At most 50 values that at least two visitors have, the most frequent first. Empty if there are more than 100 values or if one looks like an e-mail address.',
        }),
      })
      .meta({
        id: 'SeenAttribute',
        example: { name: 'plan', types: ['STRING'], visitors: 940, values: ['free', 'pro'] },
      })
      .array()
      .meta({ description: 'At most 100 attributes, those of most visitors first.' }),
  })
  .meta({
    id: 'SeenAttributes',
    example: {
      ...{ envId, samplesVisitors: true, sample },
      attributes: [{ name: 'plan', types: ['STRING'], visitors: 940, values: ['free', 'pro'] }],
    },
  })

export const reachSchema = z
  .object({
    envId: z.string(),
    samplesVisitors: samplesVisitorsField,
    sample: sampleField,
    matching: z.int().meta({ description: 'How many visitors of the sample match the audience.' }),
    unknownAttributes: z.string().array().meta({
      description:
        'Attributes of the conditions that the sample does not know: no visitor has them, or some of their values are not kept. Visitors are judged as if they did not have these values.',
    }),
  })
  .meta({
    id: 'AudienceReach',
    example: { envId, samplesVisitors: true, sample, matching: 183, unknownAttributes: ['email'] },
  })
