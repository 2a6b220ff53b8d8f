import { z } from 'zod'
import { isTimeZone, nameField, timeField } from '../../../fields.ts'

export const organizationSchema = z
  .object({
    id: z.string(),
    shortId: z.int(),
    name: z.string(),
    features: z.string().array().meta({ description: 'The features that are turned on for the organization.' }),
    createdAt: timeField,
  })
  .meta({ id: 'Organization' })

const maxKeywords = 50
const maxKeywordLength = 100

export const notificationsField = z
  .strictObject({
    mode: z.enum(['INCLUDE', 'EXCLUDE']),
    keywords: z
      .string()
      .trim()
      .min(1, 'Must not be blank.')
      .max(maxKeywordLength)
      .array()
      .min(1)
      .max(maxKeywords)
      .superRefine((keywords, context) => {
        const seen = new Set<string>()
        for (const [index, keyword] of keywords.entries()) {
          const same = keyword.normalize('NFKC').toLowerCase()
          if (seen.has(same))
            context.addIssue({ code: 'custom', path: [index], message: 'Must not be in the list twice.' })
          seen.add(same)
        }
      }),
  })
  .nullable()
  .meta({
    description:
      'Filters the events that webhooks and destinations receive by words in names and keys. Safety events are always sent.',
  })

const clockField = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 09:00.')
  .meta({ examples: ['09:00'] })
export const daysOfWeek = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

const timeZoneField = z
  .string()
  .max(100)
  .refine(isTimeZone, 'Must be the name of a time zone, such as Europe/Amsterdam.')
  .meta({ description: 'A name of the IANA time zone database.', examples: ['Europe/Amsterdam'] })

export const quietHoursField = z
  .strictObject({
    from: clockField,
    to: clockField.meta({ examples: ['07:00'] }),
    days: z
      .enum(daysOfWeek)
      .array()
      .max(6, 'At least one day of the week must not be quiet.')
      .refine((days) => new Set(days).size === days.length, 'Must not have a day twice.')
      .meta({ description: 'Days that are quiet all day.' }),
    timezone: timeZoneField,
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Must differ from `from`.' })
  .meta({ id: 'QuietHours' })
  .nullable()
  .meta({
    description:
      'When destinations that keep quiet hours wait: from one time to the other on every day, and on all of the listed days. Safety events never wait.',
  })

/** When an organization is not to be disturbed: a span of every day, and whole days besides. Times are `HH:MM`. */
export type QuietHours = NonNullable<z.infer<typeof quietHoursField>>

export const digestAtField = clockField.meta({
  description: 'When daily digests go out, in the time zone of `digestTimezone`.',
  examples: ['09:00'],
})

export const digestTimezoneField = timeZoneField
  .nullable()
  .meta({ description: 'The time zone of `digestAt`. Null: the time zone of the quiet hours, or else UTC.' })

const notificationSettings = {
  notifications: notificationsField,
  quietHours: quietHoursField,
  digestAt: digestAtField,
  digestTimezone: digestTimezoneField,
}

export const notificationSettingsSchema = z.object(notificationSettings).meta({ id: 'NotificationSettings' })

export const organizationSettingsSchema = organizationSchema
  .extend(notificationSettings)
  .meta({ id: 'OrganizationSettings' })

export const updateOrganizationBody = z.strictObject({
  name: nameField.optional(),
  notifications: notificationsField.optional(),
  quietHours: quietHoursField.optional(),
  digestAt: digestAtField.optional(),
  digestTimezone: digestTimezoneField.optional(),
})
