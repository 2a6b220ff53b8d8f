import { z } from 'zod'
import { idField, shownOnce, timeField } from '../../../../fields.ts'
import { limits } from '../web-links/limits.ts'

const { defaultHours, maxHours } = limits.preview

const versionField = z.enum(['DRAFT', 'LIVE'])

export const previewBody = z
  .strictObject({
    variationKey: z.string().meta({ description: 'The variation that the preview shows first.' }),
    version: versionField.default('DRAFT').meta({
      description: 'DRAFT: as edited, and as it will be edited until the preview ends. LIVE: as published.',
    }),
    pageKey: z.string().meta({ description: 'The page of the experiment on which the preview opens, by its `url`.' }),
    expiresInHours: z.int().min(1).max(maxHours).default(defaultHours),
  })
  .meta({
    id: 'PreviewBody',
    example: { variationKey: 'variation-1', version: 'DRAFT', pageKey: 'pricing', expiresInHours: 72 },
  })

export const previewStatuses = ['OPEN', 'EXPIRED', 'REVOKED'] as const

export const previewSchema = z
  .object({
    id: idField,
    status: z.enum(previewStatuses),
    variationKey: z.string(),
    version: versionField,
    pageKey: z.string(),
    pageUrl: z.string().meta({ description: 'The address of the page, without the secret.' }),
    createdBy: z.string(),
    createdAt: timeField,
    lastUsedAt: timeField.nullable().meta({ description: 'To the minute.' }),
    expiresAt: timeField,
    revokedAt: timeField.nullable(),
  })
  .meta({ id: 'Preview' })

export const createdPreviewSchema = previewSchema
  .extend({
    url: shownOnce(
      z.string(),
      'The address to open. Who has it sees the preview: its secret is after `#`, which browsers send to no server. Shown once.',
    ),
  })
  .meta({ id: 'CreatedPreview' })

export const previewParams = { previewId: idField }

export const ticketBody = z
  .strictObject({
    sdkKey: z.string().max(100),
    secret: z.string().max(100),
    variationKey: z.string().max(200).optional().meta({ description: 'Default: the variation of the preview.' }),
  })
  .meta({
    id: 'PreviewTicketBody',
    example: { sdkKey: 'sdk_6uJ0vRkqYb2TzLxWm4Hc8dNfPa1GsEiQ', secret: 'Zk3…' },
  })

export const ticketSchema = z
  .object({
    module: z.string().meta({ description: 'The address of the module, for 60 seconds.' }),
    expiresAt: timeField.meta({ description: 'When this address ends.' }),
  })
  .meta({ id: 'PreviewTicket' })
