import { isVisible, oneName } from '@svc/core'
import { z } from 'zod'

/** Fields that many resources have, with their limits. */
export const maxNameLength = 200
const maxDescriptionLength = 2000
const maxIdLength = 128

const invisible = 'Must not contain line breaks, control characters or invisible characters.'

/** One line of visible text that programs compare as it is sent. Surrounding spaces are dropped. */
export const lineField = z.string().trim().min(1, 'Must not be blank.').max(maxNameLength).refine(isVisible, invisible)

/**
 * A name that a person chooses. Letters are normalized, spaces of any kind and number become one, and surrounding ones
 * are dropped. Invisible characters are refused. So no two names differ by what nobody sees. Letter case is seen, and
 * other alphabets have letters of their own: such names stay two.
 */
export const nameField = z
  .string()
  .overwrite(oneName)
  .min(1, 'Must not be blank.')
  .max(maxNameLength)
  .refine(isVisible, invisible)

const maxVisitorIdLength = 512
const invisibleId =
  'An id must not contain line breaks, control characters or invisible characters: no visitor would have it.'

/** What is wrong with the id of a visitor, without the spaces around it; undefined if nothing is. */
export function visitorIdFault(id: string): string | undefined {
  if (id === '') return 'The id is empty.'
  if (id.includes('\0')) return 'An id must not contain NUL.'
  if (id.length > maxVisitorIdLength) return `An id can have up to ${maxVisitorIdLength} characters.`
  return isVisible(id) ? undefined : invisibleId
}

/** The id of a visitor in a list. Surrounding spaces are dropped: no visitor has them in its id. */
export const visitorIdField = z.string().trim().min(1).max(maxVisitorIdLength).refine(isVisible, invisibleId)

export const descriptionField = z.string().max(maxDescriptionLength).nullable()

export const idField = z.string().max(maxIdLength)

export const idShape = /^(?:\d+|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12})$/

/** Addresses accept a key in place of an id or short id, so a key must not look like either of them. */
export const isIdShape = (text: string): boolean => idShape.test(text)

export const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** A key that no address contains, so that it can be `1`. */
export const innerKeyField = z
  .string()
  .regex(
    keyPattern,
    'Must have 1 to 128 letters, digits, dots, underscores or hyphens, and begin with a letter or digit.',
  )

/** A key, which addresses accept in place of an id. */
export const keyField = innerKeyField.refine(
  (key) => !isIdShape(key),
  'Must not be only digits or look like an id. Put a word in front.',
)

/** The key of something new, in a body. */
export const madeKeyField = keyField.optional().meta({ description: 'Default: made from the name. Cannot change.' })

export const timeField = z.iso.datetime().meta({ description: 'ISO 8601 in UTC with milliseconds.' })

/** Who did something: a person, a token or the service itself. One name in the OpenAPI document, whoever uses it. */
export const actorField = z
  .object({ type: z.string(), id: z.string().nullable(), name: z.string() })
  .meta({ id: 'Actor' })

/** A number in a query, in decimal digits only: `0x10`, `1e1` and `+5` are refused. */
export const inDigits = (field: z.ZodInt) =>
  z.preprocess((value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value), field)

/**
 * Makes one line, for example for the subject of a mail. Removes everything that ends lines, controls a terminal or
 * reverses text.
 */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()

/**
 * Whether a text names a time zone of the IANA database. The runtime accepts offsets such as +02:00, but they are not
 * time zones: they have no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const secrets = new WeakSet<object>()

/** A secret that an answer shows once. It is not stored, so a repeated answer has null instead. */
export function shownOnce<Field extends z.ZodType>(field: Field, description = 'Shown once.') {
  const secret = field.nullable().meta({ description: `${description} Null in a repeated answer.` })
  secrets.add(secret)
  return secret
}

/** The names of the secrets in an answer. Secrets are always on its first level. */
export const secretFieldsOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject
    ? Object.keys(schema.shape as object).filter((name) => secrets.has(schema.shape[name] as object))
    : []
