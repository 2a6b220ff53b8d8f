import { z } from 'zod'
import { actorField, idField, timeField } from '../../../../../fields.ts'
import { keyUses } from '../../../../model/environments/index.ts'
import { environmentParams } from '../schema.ts'

export const sdkKeyParams = {
  ...environmentParams,
  sdkKeyId: idField.meta({ description: 'The id of the SDK key, or the key.' }),
}

export const sdkKeySchema = z
  .object({
    id: z.string(),
    key: z.string().meta({ description: 'Public. SDKs read the environment with it.' }),
    newest: z.boolean().meta({ description: 'Whether it is the `sdkKey` of the environment.' }),
    createdAt: timeField,
    createdBy: actorField.nullable().meta({ description: 'Null if unknown.' }),
    lastUsedAt: timeField
      .nullable()
      .meta({ description: 'The time of the last of `uses`, to the minute. Null: the key was never used.' }),
    uses: z
      .object({
        use: z.enum(keyUses).meta({
          description:
            '`DATA_FILE`: a data file was requested, by an SDK or a cache. `STREAM`: a stream was open. `EVALUATION`: OFREP evaluated flags. `EVENTS`: events were sent. `HEARTBEAT`: an SDK reported what it serves.',
        }),
        lastUsedAt: timeField,
      })
      .array()
      .meta({ description: 'What the key was used for, the last use first.' }),
    clients: z
      .object({ type: z.string(), version: z.string(), instances: z.int(), lastSeenAt: timeField })
      .array()
      .meta({
        description:
          'The SDKs that reported in the last day that they use the key, those seen last first. Up to 100 for all keys of the environment.',
      }),
  })
  .meta({
    id: 'SdkKey',
    example: {
      id: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
      key: 'sdk_0pZ9vXyJ3mQ7bT1cN5kR8wE2aL6dG4hF',
      newest: true,
      createdAt: '2026-11-20T10:00:00.000Z',
      createdBy: { type: 'user', id: '0198f2c6-0a3d-7b52-8c11-2f9d7a4e6b08', name: 'Ada' },
      lastUsedAt: '2026-11-20T10:12:00.000Z',
      uses: [{ use: 'HEARTBEAT', lastUsedAt: '2026-11-20T10:12:00.000Z' }],
      clients: [{ type: 'node', version: '1.4.0', instances: 12, lastSeenAt: '2026-11-20T10:12:00.000Z' }],
    },
  })
