import { z } from 'zod'

/** Fields that many resources have, with their limits. */
export const maxNameLength = 200
const maxDescriptionLength = 2000
const maxIdLength = 128

export const nameField = z.string().max(maxNameLength).regex(/\S/, 'A name may not be blank.')

export const descriptionField = z.string().max(maxDescriptionLength).nullable()

export const idField = z.string().max(maxIdLength)

export const timeField = z.iso.datetime().meta({ description: 'ISO 8601 in UTC with milliseconds.' })
