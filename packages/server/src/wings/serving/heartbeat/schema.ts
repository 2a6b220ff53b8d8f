import { z } from 'zod'
import { inDigits, timeField } from '../../../fields.ts'
import { maxInstances, silentAfterSeconds } from './propagation.ts'

const maxTextLength = 128
const maxRevision = 2_147_483_647
const maxEvaluatedFlags = 200

const textField = z
  .string()
  .min(1)
  .max(maxTextLength)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')

/** Unknown fields are let through: newer SDKs may say more. */
export const heartbeatBody = z.object({
  sdkKey: textField,
  sdkType: textField,
  sdkVersion: textField,
  instanceId: textField.optional(),
  revision: z.int().min(0).max(maxRevision).optional(),
  evaluatedFlags: z.string().max(maxTextLength).array().max(maxEvaluatedFlags).default([]),
})

/** What every call takes that changes a data file. */
export const waitQuery = {
  wait: z
    .string()
    .regex(/^(?:[1-9]|[12]\d|30)s$/, 'must be 1s to 30s')
    .transform((text) => Number.parseInt(text, 10) * 1000)
    .optional()
    .meta({
      description:
        'Answer when every instance that is heard of serves the change, or after this time: `1s` to `30s`. The answer then has `propagation`.',
    }),
}

export const propagationQuery = {
  revision: inDigits(z.int().min(0).max(maxRevision))
    .optional()
    .meta({ description: 'Which revision is asked about; default: the current one.' }),
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
      .meta({ description: 'Null for the file that the environment began with, and where the revision is not kept.' }),
    complete: z
      .boolean()
      .meta({ description: 'True when no instance that is heard of is behind, and it is not `full`.' }),
    full: z.boolean().meta({
      description: `True when ${maxInstances} instances are heard of: no more can be known, and some that are not may be behind.`,
    }),
    instances: z.object({ confirmed: z.int(), behind: z.int(), silent: z.int(), untold: z.int() }).meta({
      description: `\`confirmed\` serve this revision or a later one, \`behind\` an earlier one. \`silent\` have not been heard of for ${silentAfterSeconds} s and count as neither. \`untold\` are heard of, but give no revision, none that there is yet, or no id of their own.`,
    }),
    revisions: z.object({ revision: z.int(), instances: z.int() }).array(),
    behind: instanceSchema.array().meta({ description: 'Up to 100, those heard of longest ago first.' }),
    silent: instanceSchema.array().meta({ description: 'Up to 100, those heard of longest ago first.' }),
    took: z.object({ p50Ms: z.int(), p99Ms: z.int(), lastMs: z.int(), instances: z.int() }).nullable().meta({
      description:
        'From the publishing to the first heartbeat with the revision or a later one, of the confirmed instances that were known before and have not changed their revision too often since; null where there is none.',
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

/** What an answer of a call with `?wait` has in addition. */
export const confirmedFields = {
  propagation: propagationSchema
    .nullable()
    .optional()
    .meta({ description: 'With `?wait` only; null where the database could not tell.' }),
}
