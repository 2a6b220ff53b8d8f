import { z } from 'zod'
import { idField } from '../../../fields.ts'
import { digestField, eventsField, everySafetyEvent } from '../destinations/index.ts'

const projectsMax = 1_000

const ownEventsField = z
  .union([z.literal(everySafetyEvent), eventsField.or(z.tuple([]))])
  .meta({ description: '`SAFETY` includes all safety events, also future ones. An empty list means no mail.' })

export const subscriptionsBody = z.strictObject({
  subscriptions: z
    .array(z.strictObject({ projectId: idField, events: ownEventsField, digest: digestField.default('NONE') }))
    .max(projectsMax)
    .meta({ description: 'Omitted projects get the default of the role again.' }),
})

export type NewSubscription = z.output<typeof subscriptionsBody>['subscriptions'][number]

export const subscriptionsSchema = z
  .object({
    sendsMail: z.boolean().meta({ description: 'False: the service sends no mail, because SVC_SMTP_URL is not set.' }),
    email: z.string().meta({ description: 'Where the mail goes: the address of the account.' }),
    byRole: z
      .union([z.literal(everySafetyEvent), z.string().array()])
      .meta({ description: 'What you get for a project without a choice.' }),
    subscriptions: z
      .object({
        projectId: z.string(),
        project: z.object({ id: z.string(), shortId: z.int(), name: z.string() }),
        events: z.union([z.literal(everySafetyEvent), z.string().array()]),
        digest: digestField,
        isDefault: z
          .boolean()
          .meta({ description: 'Whether this is the default of the role, because nothing was chosen.' }),
        disableReason: z.string().nullable().meta({ description: 'Why mail was stopped. Saving starts it again.' }),
      })
      .array(),
  })
  .meta({ id: 'MySubscriptions' })

export const mailingSchema = z
  .object({
    email: z.string().meta({ description: 'The address that this mail no longer goes to.' }),
    organization: z.string(),
    project: z.string(),
    destination: z
      .string()
      .nullable()
      .meta({ description: 'Null: the person’s own mail notifications of the project.' }),
    isOver: z.boolean().meta({ description: 'Whether this mail has already ended.' }),
  })
  .meta({ id: 'Mailing' })
