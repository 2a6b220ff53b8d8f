import { z } from 'zod'
import { inDigits, timeField } from '../../../fields.ts'
import { clientStates } from './clients.ts'
import { maxInstances, silentAfterSeconds } from './propagation.ts'

const maxTextLength = 128
const maxRevision = 2_147_483_647
const maxEvaluatedFlags = 200

const textField = z
  .string()
  .min(1)
  .max(maxTextLength)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')

/** Unknown fields are allowed, because newer SDKs can send more. */
export const heartbeatBody = z.object({
  sdkKey: textField,
  sdkType: textField,
  sdkVersion: textField,
  instanceId: textField.optional(),
  revision: z.int().min(0).max(maxRevision).optional(),
  evaluatedFlags: z.string().max(maxTextLength).array().max(maxEvaluatedFlags).default([]),
})

export const describedHeartbeat = heartbeatBody.meta({
  id: 'Heartbeat',
  example: {
    sdkKey: 'sdk_1f9c0a7e5b3d',
    sdkType: 'node',
    sdkVersion: '1.4.0',
    instanceId: 'checkout-7d9f',
    revision: 42,
    evaluatedFlags: ['new-checkout'],
  },
})

export const heartbeatError = z.object({ error: z.string() }).meta({
  id: 'HeartbeatError',
  description: 'Unlike other errors, this is only a text for people.',
  example: { error: 'Unknown SDK key' },
})

export const heartbeatAnswer = z.object({ success: z.literal(true) }).meta({ id: 'HeartbeatAnswer' })

/** The query of every call that changes a data file. */
export const waitQuery = {
  wait: z
    .string()
    .regex(/^(?:[1-9]|[12]\d|30)s$/, 'must be 1s to 30s')
    .transform((text) => Number.parseInt(text, 10) * 1000)
    .optional()
    .meta({
      description:
        'Wait until every live instance serves the change, but at most this long: `1s` to `30s`. The response then has `propagation`.',
    }),
}

export const propagationQuery = {
  revision: inDigits(z.int().min(0).max(maxRevision))
    .optional()
    .meta({ description: 'The revision to report on. Default: the current one.' }),
}

const instanceSchema = z.object({
  instanceId: z.string(),
  sdkType: z.string(),
  sdkVersion: z.string(),
  revision: z.int(),
  since: timeField,
  lastSeenAt: timeField,
})

export const propagationSchema = z
  .object({
    envId: z.string(),
    revision: z.int(),
    currentRevision: z.int(),
    publishedAt: timeField
      .nullable()
      .meta({ description: 'Null for the first file of the environment, and if the revision is no longer kept.' }),
    complete: z.boolean().meta({ description: 'True if no live instance is behind and `full` is false.' }),
    full: z.boolean().meta({
      description: `True if ${maxInstances} instances are live. That is the maximum that can be tracked; further instances may be behind.`,
    }),
    instances: z.object({ confirmed: z.int(), behind: z.int(), silent: z.int(), untold: z.int() }).meta({
      description: `Numbers of instances. \`confirmed\`: they serve this revision or a later one. \`behind\`: they serve an earlier one. \`silent\`: they sent no heartbeat for ${silentAfterSeconds} s and count as neither. \`untold\`: their heartbeats have no id, no revision or one that does not exist.`,
    }),
    revisions: z.object({ revision: z.int(), instances: z.int() }).array(),
    behind: instanceSchema.array().meta({ description: 'Up to 100 instances, oldest heartbeat first.' }),
    silent: instanceSchema.array().meta({ description: 'Up to 100 instances, oldest heartbeat first.' }),
    took: z.object({ p50Ms: z.int(), p99Ms: z.int(), lastMs: z.int(), instances: z.int() }).nullable().meta({
      description:
        'Time from the publish to the first heartbeat with the revision or a later one. Instances that were first seen after the publish, or that have had more than 20 revisions since, are not counted. Null if no instance is counted.',
    }),
    silentAfterSeconds: z.int(),
  })
  .meta({
    id: 'Propagation',
    example: {
      envId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
      revision: 42,
      currentRevision: 42,
      publishedAt: '2026-11-20T10:00:00.000Z',
      complete: false,
      full: false,
      instances: { confirmed: 11, behind: 1, silent: 0, untold: 3 },
      revisions: [
        { revision: 42, instances: 11 },
        { revision: 41, instances: 1 },
      ],
      behind: [
        {
          instanceId: 'checkout-7d9f',
          sdkType: 'node',
          sdkVersion: '1.4.0',
          revision: 41,
          since: '2026-11-20T09:12:31.000Z',
          lastSeenAt: '2026-11-20T09:59:58.000Z',
        },
      ],
      silent: [],
      took: { p50Ms: 6, p99Ms: 48, lastMs: 48, instances: 11 },
      silentAfterSeconds,
    },
  })

const clientStateField = z.enum(clientStates)

export const clientsQuery = {
  state: clientStateField.optional().meta({ description: 'Only clients in this state.' }),
}

export const clientSchema = z
  .object({
    instanceId: z
      .string()
      .nullable()
      .meta({ description: 'Null if the client reports no id. The row then counts any number of instances.' }),
    sdkType: z.string().meta({ description: 'The runtime, such as `node` or `browser`.' }),
    sdkVersion: z.string(),
    state: clientStateField.meta({
      description: `\`SILENT\`: it sent no heartbeat for ${silentAfterSeconds} s. \`UNKNOWN\`: it reports no id, no revision, or one that does not exist.`,
    }),
    revision: z.int().nullable().meta({ description: 'The revision that the client serves; null if unknown.' }),
    revisionsBehind: z.int().nullable().meta({
      description:
        'How many later revisions there are. Null if the state is `UNKNOWN`, or was `UNKNOWN` before the client became silent.',
    }),
    since: timeField.nullable().meta({ description: 'Since when the client serves this revision.' }),
    firstSeenAt: timeField,
    lastSeenAt: timeField,
  })
  .meta({
    id: 'Client',
    example: {
      instanceId: 'checkout-7d9f',
      sdkType: 'node',
      sdkVersion: '1.4.0',
      state: 'BEHIND',
      revision: 41,
      revisionsBehind: 1,
      since: '2026-11-20T09:12:31.000Z',
      firstSeenAt: '2026-11-20T09:12:31.000Z',
      lastSeenAt: '2026-11-20T09:59:58.000Z',
    },
  })

/** The additional fields of responses to calls with `?wait`. */
export const confirmedFields = {
  propagation: propagationSchema
    .nullable()
    .optional()
    .meta({ description: 'Present only with `?wait`. Null if the database was unavailable.' }),
}
