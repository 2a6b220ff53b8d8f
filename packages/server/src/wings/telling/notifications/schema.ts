import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { notificationsField } from '../../people/organizations/index.ts'

const maxDays = 30

export const previewBody = z.strictObject({
  notifications: notificationsField,
  days: z.int().min(1).max(maxDays).default(7).meta({ description: 'Events of how many days are looked at.' }),
})

const count = (description: string) => z.int().meta({ description })

const exampleSchema = z.object({
  event: z.string(),
  name: z.string().nullable().meta({ description: 'The name of what the event is about.' }),
  project: z.string().meta({ description: 'The name of the project.' }),
  occurredAt: timeField,
})

export const previewSchema = z
  .object({
    events: count('Events that the filter judges.'),
    passed: count('Those of them that pass.'),
    safety: count('Safety events. They always pass and are not counted above.'),
    since: timeField.meta({ description: 'Earlier events are not counted.' }),
    hasMore: z.boolean().meta({ description: 'There were more events than are looked at. `since` is the oldest one.' }),
    byEvent: z.object({ event: z.string(), passed: z.int(), stopped: z.int() }).array(),
    keywords: z.object({ keyword: z.string(), matches: count('Events that mention it.') }).array(),
    passing: exampleSchema.array().meta({ description: 'The latest five that pass.' }),
    stopped: exampleSchema.array().meta({ description: 'The latest five that do not pass.' }),
  })
  .meta({ id: 'NotificationPreview' })
