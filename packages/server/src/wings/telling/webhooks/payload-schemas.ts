import { z } from 'zod'
import type { EventName } from '../../../catalogue/events.ts'
import { timeField } from '../../../fields.ts'
import { flagStatusField } from '../../flags/flags/index.ts'
import { scheduleSchema } from '../../flags/switches/index.ts'

const idField = z.string()
const flagField = z
  .object({ id: idField, shortId: z.int(), key: z.string(), name: z.string(), status: flagStatusField })
  .meta({ description: 'The flag after the change; a deleted flag as it was.' })
const environmentField = z.object({ id: idField, name: z.string() })
const ruleField = z.object({ id: idField, name: z.string(), type: z.enum(['TARGETED_DELIVERY', 'AB_TEST']) })
const webhookField = z.object({ id: idField, name: z.string() })
const servedField = z.record(z.string(), z.unknown()).nullable()
const changeField = z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })

const ofFlag = { flag: flagField }
const scheduled = {
  flag: flagField,
  environment: environmentField,
  rule: ruleField.optional().meta({ description: 'Only for the schedule of one rule.' }),
  schedule: scheduleSchema,
}
const ofAudience = { audience: z.object({ id: idField, name: z.string() }) }
const ofSegment = {
  segment: z.object({ id: idField, name: z.string(), count: z.int().meta({ description: 'How many ids it has.' }) }),
}
const ofEnvironment = { environment: environmentField }
const ofWebhook = { webhook: webhookField }

const baseFields = {
  id: idField.meta({ description: 'Id of the delivery, as in `X-Svc-Delivery-Id`; in the feed, id of the event.' }),
  timestamp: timeField.meta({ description: 'Time of the event: ISO 8601 in UTC with milliseconds.' }),
  project: z.object({ id: idField, shortId: z.int(), name: z.string() }).meta({ description: 'Project of the event.' }),
  triggeredBy: z
    .object({
      type: z.enum(['user', 'service_token', 'personal_token']).meta({
        description: '`user`: a person signed in to the dashboard.',
      }),
      id: idField.meta({ description: 'Id of the person, also for a personal token; otherwise of the service token.' }),
      name: z.string(),
      email: z.string().nullable(),
      role: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'Who caused the event; null for the service itself.' }),
}

/**
 * The bodies of deliveries by event name: exactly the events that this build produces. Bodies can gain fields;
 * receivers ignore fields that they do not know.
 */
export const payloadSchemas = {
  'flag.created': payload('flag.created', ofFlag),
  'flag.updated': payload('flag.updated', {
    flag: flagField.optional().meta({ description: 'Absent if `flags` lists several flags.' }),
    environment: environmentField
      .optional()
      .meta({ description: 'Only if rules, overrides, the default or the switch of an environment changed.' }),
    rule: ruleField.optional().meta({ description: 'The rule that was changed, run or paused.' }),
    rules: ruleField
      .array()
      .optional()
      .meta({ description: 'Several rules: those that were copied or went live, or all rules in their new order.' }),
    flags: z
      .array(flagField.extend({ changes: changeField.array() }))
      .optional()
      .meta({ description: 'Published changes that are not in a data file, such as the name of a rule.' }),
  }),
  'flag.archived': payload('flag.archived', ofFlag),
  'flag.unarchived': payload('flag.unarchived', ofFlag),
  'flag.deleted': payload('flag.deleted', ofFlag),
  'flag.published': payload('flag.published', {
    ...ofEnvironment,
    dataFile: z
      .object({
        revision: z.int(),
        previousRevision: z.int(),
        etag: z.string(),
        url: z.url().meta({ description: 'Where SDKs fetch the file. It always serves the newest revision.' }),
      })
      .meta({ description: 'There is one event per environment and revision. `revision` grows with every change.' }),
    flags: z
      .array(
        flagField.extend({
          before: servedField.meta({
            description: 'The flag in the data file before the change; null if it was not there.',
          }),
          after: servedField.meta({
            description: 'The flag in the data file after the change; null if it is not there.',
          }),
        }),
      )
      .meta({ description: 'Flags whose value can be different for visitors now.' }),
    audiences: z
      .array(z.object({ id: idField, before: z.unknown(), after: z.unknown() }))
      .optional()
      .meta({
        description:
          'Audiences that changed in the data file, with their conditions; null if not in the file. Absent if none changed.',
      }),
  }),
  'flag.rule_activated': payload('flag.rule_activated', {
    ...ofEnvironment,
    ...ofFlag,
    rule: ruleField,
  }),
  'flag.schedule_updated': payload('flag.schedule_updated', scheduled),
  'flag.schedule_failed': payload('flag.schedule_failed', scheduled),
  'audience.created': payload('audience.created', ofAudience),
  'audience.updated': payload('audience.updated', {
    ...ofAudience,
    environment: environmentField.optional().meta({
      description:
        'Only if a publish made the change live without a new data file. Otherwise the audience itself was edited.',
    }),
  }),
  'audience.deleted': payload('audience.deleted', ofAudience),
  'segment.created': payload('segment.created', ofSegment),
  'segment.updated': payload('segment.updated', ofSegment),
  'segment.deleted': payload('segment.deleted', ofSegment),
  'project.created': payload('project.created', {}),
  'project.updated': payload('project.updated', { previousName: z.string() }),
  'environment.created': payload('environment.created', ofEnvironment),
  'environment.updated': payload('environment.updated', ofEnvironment),
  'environment.deleted': payload('environment.deleted', ofEnvironment),
  'webhook.created': payload('webhook.created', ofWebhook),
  'webhook.updated': payload('webhook.updated', ofWebhook),
  'webhook.deleted': payload('webhook.deleted', ofWebhook),
  'webhook.secret_rotated': payload('webhook.secret_rotated', ofWebhook),
  'webhook.tested': payload('webhook.tested', ofWebhook),
  'webhook.delivery_retried': payload('webhook.delivery_retried', ofWebhook),
  'webhook.disabled': payload('webhook.disabled', { ...ofWebhook, reason: z.string() }),
  'token.expiring': payload('token.expiring', {
    token: z.object({ id: idField, name: z.string(), expiresAt: timeField }),
  }),
  'webhook.test': z.object({
    id: baseFields.id,
    event: z.literal('webhook.test'),
    timestamp: baseFields.timestamp,
    project: z.object({ id: idField }),
    test: z.literal(true),
    message: z.string(),
  }),
} satisfies Partial<Record<EventName, z.ZodType>>

export type ProducedEvent = keyof typeof payloadSchemas

export const isProduced = (name: EventName): name is ProducedEvent => Object.hasOwn(payloadSchemas, name)

function payload<Fields extends z.ZodRawShape>(name: EventName, fields: Fields) {
  const { id, timestamp, project, triggeredBy } = baseFields
  return z.object({ id, event: z.literal(name), timestamp, project, ...fields, triggeredBy })
}
