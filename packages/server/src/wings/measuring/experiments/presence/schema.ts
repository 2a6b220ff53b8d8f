import { z } from 'zod'
import { idField, keyPattern, timeField } from '../../../../fields.ts'

const placeField = z.enum(['FORM', 'EDITOR']).meta({ description: 'In the dashboard’s form, or in the visual editor.' })

export const presenceBody = z
  .strictObject({
    variationKey: z.string().regex(keyPattern).meta({ description: 'The variation that you edit.' }),
    place: placeField,
    leaving: z.boolean().default(false).meta({ description: 'You edit no longer.' }),
  })
  .meta({ id: 'PresenceBody', example: { variationKey: 'variation-1', place: 'FORM' } })

export const presentPersonSchema = z
  .object({
    userId: idField,
    name: z.string(),
    variationKey: z.string(),
    place: placeField,
    since: timeField.meta({ description: 'Since when this person edits the variation there.' }),
  })
  .meta({ id: 'PresentPerson' })

export const presenceSchema = z.object({ people: presentPersonSchema.array() }).meta({ id: 'Presence' })
