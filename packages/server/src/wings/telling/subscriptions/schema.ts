import { z } from 'zod'
import { idField } from '../../../fields.ts'
import { digestField, eventsField, everySafetyEvent } from '../destinations/index.ts'

const projectsMax = 1_000

const ownEventsField = z
  .union([z.literal(everySafetyEvent), eventsField.or(z.tuple([]))])
  .meta({ description: 'SAFETY for everything that interrupts, also what later versions add. An empty list: nothing.' })

export const subscriptionsBody = z.strictObject({
  subscriptions: z
    .array(z.strictObject({ projectId: idField, events: ownEventsField, digest: digestField.default('NONE') }))
    .max(projectsMax)
    .meta({ description: 'Projects that are not named get the default of the role again.' }),
})

export type NewSubscription = z.output<typeof subscriptionsBody>['subscriptions'][number]

export const subscriptionsSchema = z
  .object({
    sendsMail: z.boolean().meta({ description: 'False: the service sends no mail, because SVC_SMTP_URL is not set.' }),
    email: z.string().meta({ description: 'Where the mail goes: the address of the account.' }),
    byRole: z
      .union([z.literal(everySafetyEvent), z.string().array()])
      .meta({ description: 'What you hear of a project without a choice.' }),
    subscriptions: z
      .object({
        projectId: z.string(),
        project: z.object({ id: z.string(), shortId: z.int(), name: z.string() }),
        events: z.union([z.literal(everySafetyEvent), z.string().array()]),
        digest: digestField,
        isDefault: z.boolean().meta({ description: 'Nothing was chosen: the default of the role.' }),
        disableReason: z.string().nullable().meta({ description: 'Set if mail was stopped. Saving starts it again.' }),
      })
      .array(),
  })
  .meta({ id: 'MySubscriptions' })

export const mailingSchema = z
  .object({
    email: z.string().meta({ description: 'The address that gets no more of this mail.' }),
    organization: z.string(),
    project: z.string(),
    destination: z.string().nullable().meta({ description: 'Null: what the person chose to hear of the project.' }),
    isOver: z.boolean().meta({ description: 'There is nothing to end any more.' }),
  })
  .meta({ id: 'Mailing' })
