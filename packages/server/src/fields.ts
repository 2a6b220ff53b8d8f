import { z } from 'zod'

/** Fields that many resources have, with their limits. */
export const maxNameLength = 200
const maxDescriptionLength = 2000
const maxIdLength = 128

/**
 * What a person calls something. Spaces around it are dropped; two names that look alike are alike, so nothing that
 * cannot be seen is accepted in it.
 */
export const nameField = z
  .string()
  .trim()
  .min(1, 'Must not be blank.')
  .max(maxNameLength)
  .refine(isVisible, 'Must not contain line breaks, control characters or invisible characters.')

export const descriptionField = z.string().max(maxDescriptionLength).nullable()

export const idField = z.string().max(maxIdLength)

const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Digits alone are a short id, and this shape is an id: addresses take a key in their place, so no key reads like one. */
export const isIdShape = (text: string): boolean => /^\d+$/.test(text) || uuidShape.test(text)

/** What an address takes in place of an id. */
export const keyField = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
    'A key has 1 to 128 letters, digits, dots, underscores or hyphens, and begins with a letter or digit.',
  )
  .refine((key) => !isIdShape(key), 'A key must not be digits alone or have the shape of an id: put a word in front.')

export const timeField = z.iso.datetime().meta({ description: 'ISO 8601 in UTC with milliseconds.' })

/** Joiners and variation selectors are part of emoji and of some scripts: there they change what is seen. */
function isVisible(name: string): boolean {
  const visible = name.replaceAll(
    /(?<=[^\0-\x7f])(?:\u200d(?=[^\0-\x7f])|\u200c(?=\p{L})|\ufe0f)|\ufe0f(?=\u20e3)/gu,
    '',
  )
  return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(visible)
}

/** For what has to be one line, such as the subject of a mail: nothing is left that ends lines, steers a terminal or turns text around. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()

const secrets = new WeakSet<object>()

/** A secret that an answer shows once: it is never kept, so a repeated answer has null in its place. */
export function shownOnce<Field extends z.ZodType>(field: Field, description = 'Shown once.') {
  const secret = field.nullable().meta({ description: `${description} Null in a repeated answer.` })
  secrets.add(secret)
  return secret
}

/** The names of the secrets in an answer, which stand on its first level. */
export const secretFieldsOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject
    ? Object.keys(schema.shape as object).filter((name) => secrets.has(schema.shape[name] as object))
    : []
