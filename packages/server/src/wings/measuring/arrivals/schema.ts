import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { recentMetricFigures } from '../experiments/index.ts'

const dayField = z
  .object({
    day: z.iso.date().meta({ description: 'In UTC.' }),
    events: z.number().meta({ description: 'How many events arrived, each id once.' }),
    valued: z.number().meta({ description: 'How many of them have a value.' }),
    valueSum: z.number().meta({ description: 'The sum of their values.' }),
  })
  .meta({ id: 'ArrivedDay', example: { day: '2026-11-26', events: 212, valued: 212, valueSum: 10578.4 } })

const eventField = z
  .object({
    eventKey: z.string(),
    lastAt: timeField.nullable().meta({ description: 'When the last event arrived. Null: none did in these days.' }),
    days: dayField.array().meta({ description: 'The last 30 days, oldest first. The last one is today.' }),
  })
  .meta({
    id: 'ArrivedEvent',
    example: {
      eventKey: 'order_paid',
      lastAt: '2026-11-26T09:59:12.000Z',
      days: [{ day: '2026-11-26', events: 212, valued: 212, valueSum: 10578.4 }],
    },
  })

export const activitySchema = z
  .object({
    envId: z.string(),
    event: eventField.nullable().meta({
      description: 'The event of the metric. Null: it comes from orders, which are not counted here.',
    }),
    denominator: eventField.nullable().meta({
      description: 'The event that a RATIO divides by. Null if there is none, or if it comes from orders.',
    }),
    figures: recentMetricFigures.nullable().meta({
      description:
        'The value that tests of the environment measured in the last 14 days, over all their variations: those of the rule with the most visitors. Null if none did.',
    }),
  })
  .meta({
    id: 'MetricActivity',
    example: {
      envId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
      event: {
        eventKey: 'order_paid',
        lastAt: '2026-11-26T09:59:12.000Z',
        days: [{ day: '2026-11-26', events: 212, valued: 212, valueSum: 10578.4 }],
      },
      denominator: null,
      figures: {
        baseline: 0.052,
        stddev: null,
        units: 2310,
        source: {
          ruleId: '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b55',
          flagId: '0198f2c6-3c4d-7c3e-8f4a-5b6c7d8e9f00',
          flagKey: 'new-checkout',
          experimentId: null,
        },
      },
    },
  })
