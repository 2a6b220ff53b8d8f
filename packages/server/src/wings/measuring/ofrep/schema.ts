import { z } from 'zod'
import { type OfrepReason, ofrepReasons } from './answer.ts'

const reasons = [...new Set(Object.values(ofrepReasons))] as [OfrepReason, ...OfrepReason[]]

export const describedRequest = z
  .looseObject({
    context: z
      .looseObject({ targetingKey: z.string().optional() })
      .meta({ description: 'The visitor: `targetingKey` and attributes, also nested.' }),
  })
  .meta({ id: 'OfrepRequest', example: { context: { targetingKey: 'u-17', country: 'NL' } } })

const metadataFields = {
  flagSetId: z.string().meta({ description: 'The id of the environment.' }),
  version: z.string().meta({ description: 'The revision of the data file.' }),
}

const success = z
  .object({
    key: z.string(),
    value: z.unknown().meta({ description: 'A boolean, a text, a number or JSON, as the flag’s type says.' }),
    reason: z.enum(reasons),
    variant: z.string().meta({ description: 'The key of the variation.' }),
    metadata: z.object({
      ...metadataFields,
      svcReason: z.string().meta({ description: 'The reason, as given by the SDKs of this service.' }),
      ruleId: z.string().optional().meta({ description: 'The short id of the rule that decided, if one did.' }),
    }),
  })
  .meta({
    id: 'OfrepSuccess',
    example: {
      key: 'new-checkout',
      value: true,
      reason: 'TARGETING_MATCH',
      variant: 'on',
      metadata: {
        flagSetId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
        version: '42',
        svcReason: 'TARGETING_MATCH',
        ruleId: '3',
      },
    },
  })

export const describedSuccess = success

const failure = (id: string, code: string, details: string, key?: string) =>
  z
    .object({
      key: z.string().optional().meta({ description: 'Absent if the failure is not about one flag.' }),
      errorCode: z.string(),
      errorDetails: z.string().meta({ description: 'A text for people.' }),
    })
    .meta({ id, example: { ...(key && { key }), errorCode: code, errorDetails: details } })

export const describedFailure = failure(
  'OfrepFailure',
  'INVALID_CONTEXT',
  '"context" must be a JSON object.',
  'new-checkout',
)

export const describedBulk = z
  .object({
    flags: z.union([success, describedFailure]).array().meta({ description: 'Sorted by key.' }),
    metadata: z.object(metadataFields),
    eventStreams: z
      .object({
        type: z.literal('sse'),
        endpoint: z.object({ requestUri: z.string() }),
        inactivityDelaySec: z.int(),
      })
      .array()
      .meta({ description: 'The address of the stream that announces changes. It needs no header.' }),
  })
  .meta({
    id: 'OfrepBulk',
    example: {
      flags: [
        {
          key: 'new-checkout',
          value: true,
          reason: 'TARGETING_MATCH',
          variant: 'on',
          metadata: {
            flagSetId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
            version: '42',
            svcReason: 'TARGETING_MATCH',
            ruleId: '3',
          },
        },
      ],
      metadata: { flagSetId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', version: '42' },
      eventStreams: [
        { type: 'sse', endpoint: { requestUri: '/api/sdk/v1/stream/sdk_1f9c0a7e5b3d' }, inactivityDelaySec: 120 },
      ],
    },
  })
