import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { notificationsField } from '../../people/organizations/index.ts'

const maxDays = 30

export const previewBody = z.strictObject({
  notifications: notificationsField,
  days: z.int().min(1).max(maxDays).default(7).meta({ description: 'How many days of events to check.' }),
})

const count = (description: string) => z.int().meta({ description })

const exampleSchema = z.object({
  event: z.string(),
  name: z.string().nullable().meta({ description: 'The name of the object that the event is about.' }),
  project: z.string().meta({ description: 'The name of the project.' }),
  occurredAt: timeField,
})

export const previewSchema = z
  .object({
    events: count('How many events the filter checks.'),
    passed: count('How many of them pass.'),
    safety: count('How many safety events there are. They always pass and are not counted above.'),
    since: timeField.meta({ description: 'Earlier events are not counted.' }),
    hasMore: z.boolean().meta({
      description:
        'Whether there are more events than the preview checks. `since` is then the time of the oldest checked event.',
    }),
    byEvent: z.object({ event: z.string(), passed: z.int(), stopped: z.int() }).array(),
    keywords: z.object({ keyword: z.string(), matches: count('How many events mention the keyword.') }).array(),
    passing: exampleSchema.array().meta({ description: 'The latest five that pass.' }),
    stopped: exampleSchema.array().meta({ description: 'The latest five that do not pass.' }),
  })
  .meta({ id: 'NotificationPreview' })
