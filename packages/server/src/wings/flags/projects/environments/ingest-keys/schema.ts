import { z } from 'zod'
import { actorField, idField, shownOnce, timeField } from '../../../../../fields.ts'
import { environmentParams } from '../schema.ts'

export const ingestKeyParams = {
  ...environmentParams,
  ingestKeyId: idField.meta({ description: 'The id of the ingest key.' }),
}

const ingestKeyFields = {
  id: z.string(),
  lastCharacters: z.string().meta({ description: 'The last four characters of the key.' }),
  createdAt: timeField,
  createdBy: actorField,
  lastUsedAt: timeField
    .nullable()
    .meta({ description: 'When a request last had the key, to the minute. Null: the key was never used.' }),
  lastUsedIp: z.string().nullable().meta({ description: 'The address of that request.' }),
  lastUsedUserAgent: z.string().nullable().meta({ description: 'The program that sent that request.' }),
}

const example = {
  id: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
  lastCharacters: 'k3Qd',
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: { type: 'user', id: '0198f2c6-0a3d-7b52-8c11-2f9d7a4e6b08', name: 'Ada' },
  lastUsedAt: '2026-11-20T10:12:00.000Z',
  lastUsedIp: '203.0.113.7',
  lastUsedUserAgent: 'svc-sdk-python/0.1.0',
}

export const ingestKeySchema = z.object(ingestKeyFields).meta({ id: 'IngestKey', example })

export const createdIngestKeySchema = z
  .object({
    ...ingestKeyFields,
    secret: shownOnce(z.string(), 'The key, `svc_ing_…`. Present only in this answer.'),
  })
  .meta({
    id: 'CreatedIngestKey',
    example: {
      ...{ ...example, lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null },
      secret: 'svc_ing_put-the-32-random-bytes-of-your-key-in-k3Qd',
    },
  })
