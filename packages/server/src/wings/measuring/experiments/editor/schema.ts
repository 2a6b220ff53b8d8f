import { z } from 'zod'
import { idField, shownOnce, timeField } from '../../../../fields.ts'
import { frameOrigin } from '../web-links/link.ts'

const maxUrlLength = 2000

/** An http or https address whose origin a policy for frames can name. */
const openedUrl = z
  .string()
  .max(maxUrlLength)
  .refine((url) => URL.canParse(url) && frameOrigin(url) !== undefined, {
    message: 'must be an address that begins with http:// or https://.',
  })

export const editorSessionBody = z
  .strictObject({
    variationKey: z.string().meta({ description: 'The variation to edit.' }),
    url: openedUrl.meta({
      description: 'The page on which the editor opens. Its host must be one of the project’s hosts.',
    }),
  })
  .meta({
    id: 'EditorSessionBody',
    example: { variationKey: 'variation-1', url: 'https://shop.example/pricing' },
  })

const expiresField = timeField.meta({ description: 'When the session ends at the latest.' })

export const openedEditorSchema = z
  .object({
    id: idField,
    url: shownOnce(z.string(), 'The address to open, with a code that works once and for 60 seconds. Shown once.'),
    expiresAt: timeField.meta({ description: 'When the code expires.' }),
  })
  .meta({ id: 'OpenedEditorSession' })

export const editorSessionSchema = z
  .object({
    id: idField,
    variationKey: z.string(),
    origin: z.string().meta({ description: 'Only pages of this origin can show the editor.' }),
    user: z.object({ id: idField, name: z.string() }),
    createdAt: timeField,
    lastUsedAt: timeField,
    expiresAt: expiresField,
  })
  .meta({ id: 'EditorSession' })

export const editorSessionParams = { editorSessionId: idField }

export const renewedCodeSchema = z
  .object({
    code: shownOnce(z.string(), 'Opens the session on the next page, once. Shown once.'),
    expiresAt: timeField.meta({ description: 'When the code expires.' }),
  })
  .meta({ id: 'EditorSessionCode' })

export const redeemBody = z
  .strictObject({ code: z.string().max(200) })
  .meta({ id: 'EditorRedemptionBody', example: { code: '0198c0de-0000-7000-8000-000000000000.Zk3…' } })

export const redeemedSchema = z
  .object({
    token: z.string().meta({ description: 'Opens this experiment to the editor. It is kept in memory alone.' }),
    projectId: idField,
    experimentId: idField,
    variationKey: z.string(),
    expiresAt: expiresField,
  })
  .meta({ id: 'EditorRedemption' })
