import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The version of the format that this code writes, and the only one so far. */
export const formatNumber = 1

export const manifestSchema = z.object({
  format: z.literal(formatNumber),
  /** The version of Svc that made the backup. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The database that the rows were read from. */
  database: z.enum(['embedded', 'server']),
  lastMigration: z.string(),
  /** Says which secret key belongs to the rows, without giving it away; null if the backup was made without one. */
  secretKey: z.string().nullable(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      bytes: z.number(),
      /** The hash of the COPY text of all rows. */
      sha256: z.string(),
    }),
  ),
  partitions: z.array(z.object({ name: z.string(), of: z.string(), bound: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string(), isCalled: z.boolean() })),
})

export type Manifest = z.output<typeof manifestSchema>
export type TableSum = Manifest['tables'][number]

/** Identifies a key. The key has 256 random bits, so its hash reveals nothing. */
export const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('svc secret key').update(key).digest('hex').slice(0, fingerprintLength)

const fingerprintLength = 32
