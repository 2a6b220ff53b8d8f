import { z } from 'zod'
import { eventNames } from '../../../catalogue/events.ts'
import { idField, madeKeyField, nameField, shownOnce, timeField } from '../../../fields.ts'
import { retryingField } from '../deliveries/index.ts'
import { digestField, eventsField, type KindName, kindNames, kinds, templateMaxLength } from '../destinations/index.ts'

const kindField = z.enum(kindNames)
const environmentsMax = 50

const templateField = z
  .strictObject({
    title: z.string().max(templateMaxLength).nullable().default(null),
    summary: z.string().max(templateMaxLength).nullable().default(null),
  })
  .nullable()
  .meta({
    id: 'MessageTemplate',
    description:
      'Texts that replace the default texts. `{{flag.name}}` is a path into the payload; `{{flags.0.key}}` has an index. Null: the default texts.',
  })

const environmentIdsField = idField
  .array()
  .min(1, 'Name at least one environment, or use null for all.')
  .max(environmentsMax)
  .transform((ids) => [...new Set(ids)])
  .nullable()
  .meta({
    description:
      'Sends only events of these environments, and events without an environment. Null: events of all environments.',
  })

const allProjectsField = z.boolean().meta({ description: 'Whether the destination gets the events of every project.' })
const quietHoursField = z
  .boolean()
  .meta({ description: 'Whether the destination keeps the quiet hours of the organization. Safety events never wait.' })

const newFields = {
  name: nameField,
  key: madeKeyField,
  events: eventsField,
  environmentIds: environmentIdsField.default(null),
  allProjects: allProjectsField.default(false),
  template: templateField.default(null),
  digest: digestField.default('NONE'),
  quietHours: quietHoursField.default(true),
}

/** The form of each kind. */
const configs = Object.fromEntries(
  kindNames.map((name) => [name, (kinds[name].config as z.ZodType).meta({ id: `${titleOf(name)}Config` })]),
) as Record<KindName, z.ZodType<Record<string, unknown>>>

function titleOf(name: KindName): string {
  return name
    .toLowerCase()
    .split('_')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')
}

const newOf = (kind: KindName) =>
  z
    .strictObject({ kind: z.literal(kind), config: configs[kind], ...newFields })
    .meta({ id: `New${titleOf(kind)}Destination` })

const [firstKind, ...otherKinds] = kindNames

export const createDestinationBody = z.discriminatedUnion('kind', [newOf(firstKind), ...otherKinds.map(newOf)])

export type NewDestination = z.output<typeof createDestinationBody>

const editedConfig = z.record(z.string(), z.unknown())

export const updateDestinationBody = z.strictObject({
  name: nameField.optional(),
  config: editedConfig.optional().meta({ description: 'The fields to change. Omitted secrets do not change.' }),
  events: eventsField.optional(),
  environmentIds: environmentIdsField.optional(),
  allProjects: allProjectsField.optional(),
  template: templateField.optional(),
  digest: digestField.optional(),
  quietHours: quietHoursField.optional(),
  enabled: z.boolean().optional(),
})

export type DestinationUpdate = z.output<typeof updateDestinationBody>

/** A whole config of a kind, or why it is invalid. */
export const configOf = (
  kind: KindName,
  config: Record<string, unknown>,
  how?: z.core.ParseContext<z.core.$ZodIssue>,
) => configs[kind].safeParse(config, how)

export const destinationFilters = { kind: kindField.optional() }

const destinationFields = {
  id: z.string(),
  projectId: z.string(),
  orgId: z.string(),
  key: z.string(),
  name: z.string(),
  kind: kindField,
  config: z.record(z.string(), z.unknown()).meta({
    description: 'Secrets are replaced by their last characters.',
  }),
  events: z.string().array(),
  environmentIds: z.string().array().nullable(),
  allProjects: z.boolean(),
  template: templateField,
  digest: digestField,
  quietHours: z.boolean(),
  enabled: z.boolean(),
  disabledAt: timeField.nullable(),
  disableReason: z.string().nullable(),
  consecutiveFailures: z.int(),
  retrying: retryingField,
  heldUntil: timeField
    .nullable()
    .meta({ description: 'Until when deliveries wait, because the receiver asked for a pause.' }),
  unconfirmed: z.string().array().meta({
    description:
      'For the kind EMAIL: addresses that do not get mail yet, because they belong to no member and have not confirmed.',
  }),
  createdAt: timeField,
  updatedAt: timeField,
}

export const destinationSchema = z.object(destinationFields).meta({ id: 'Destination' })

export const savedDestinationSchema = z
  .object({
    ...destinationFields,
    secret: shownOnce(
      z.string(),
      'For the kind TEMPLATE with a signature: the signing secret, shown when it is created.',
    ),
  })
  .meta({ id: 'SavedDestination' })

export const ticketsQuery = {
  about: idField.meta({ description: 'The id of a flag or an experiment.' }),
}

export const ticketsSchema = z
  .object({
    kind: kindField,
    name: z.string().nullable().meta({ description: 'The name of the ticket, such as `OPS-7`. Null for an alarm.' }),
    url: z.string().nullable().meta({ description: 'The address of the ticket. Null if the vendor gives none.' }),
    event: z.string().meta({ description: 'The event that created the ticket.' }),
    toldAt: timeField.meta({ description: 'When Svc last wrote to the ticket.' }),
  })
  .meta({ id: 'OpenTicket' })
  .array()

export const previewBody = z
  .strictObject({
    kind: kindField,
    config: editedConfig,
    template: templateField.default(null),
    destinationId: idField.optional().meta({ description: 'Omitted secrets are taken from this destination.' }),
    recordId: idField
      .optional()
      .meta({ description: 'A delivery of the destination; the preview shows it as it would be sent now.' }),
    eventId: idField.optional().meta({ description: 'An event that has happened.' }),
    event: z.enum(eventNames).optional().meta({ description: 'The latest event with this name, or else an example.' }),
  })
  .refine(({ eventId, event }) => eventId === undefined || event === undefined, {
    path: ['event'],
    message: 'Send either event or eventId, not both.',
  })
  .meta({ example: { kind: 'SLACK', config: { url: 'https://chat.example.org/hooks/svc' }, event: 'flag.published' } })

export const previewSchema = z
  .object({
    event: z.string(),
    eventId: z
      .string()
      .nullable()
      .meta({ description: 'Null: the preview uses an example, because no such event has happened.' }),
    message: z
      .object({
        tone: z.enum(['GOOD', 'INFO', 'WARNING', 'BAD']),
        title: z.string(),
        summary: z.string(),
        facts: z.object({ label: z.string(), value: z.string() }).array(),
        link: z.object({ label: z.string(), url: z.string() }),
        project: z.string(),
        actor: z.string(),
        at: timeField,
      })
      .meta({ description: 'The content of the event, before the kind of the destination formats it.' }),
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.unknown(),
      })
      .nullable()
      .meta({ description: 'What would be sent, without secrets. Null: this kind sends nothing for this event.' }),
  })
  .meta({ id: 'DestinationPreview' })
