import { z } from 'zod'
import type { EventName } from '../../../catalogue/events.ts'
import { bodySchemas, isProduced } from '../../../catalogue/payloads.ts'
import type { Message } from '../tickets/index.ts'
import { type Body, valueAt } from '../tickets/index.ts'

/** What a destination says instead of our title and summary. Null means ours. */
export interface Template {
  title: string | null
  summary: string | null
}

export const templateMaxLength = 4_000
/** `{{flag.name}}`, also with an index: `{{flags.0.key}}`. Nothing else is special. */
const placeholders = /\{\{\s*([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)\s*\}\}/g

/** No receiver takes a longer title or summary. */
export const filledMaxLength = 16_384

/**
 * A text with the values of a body. Values that the body lacks are empty. A result that is too long is cut before the
 * rest is made, because one event and a short template can name gigabytes.
 */
export function filled(text: string, body: Body): string {
  let result = ''
  for (const piece of pieces(text, textsIn(body))) {
    if (result.length + piece.length > filledMaxLength)
      return (result + piece.slice(0, filledMaxLength - result.length)).replace(/[\ud800-\udbff]$/, '')
    result += piece
  }
  return result
}

/** The texts of a template between its placeholders, and the values in place of them, one after another. */
function* pieces(text: string, textAt: TextAt): Generator<string> {
  let from = 0
  for (const { 0: whole, 1: path, index } of text.matchAll(placeholders)) {
    yield text.slice(from, index)
    yield textAt(path!)
    from = index + whole.length
  }
  yield text.slice(from)
}

type TextAt = (path: string) => string

/** The values of a body as texts. Each is made once, however often a template names it. */
function textsIn(body: Body): TextAt {
  const known = new Map<string, string>()
  return (path) => {
    const text = known.get(path) ?? textOf(valueAt(body, ...path.split('.')))
    known.set(path, text)
    return text
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function withTemplate(message: Message, template: Template | null, body: Body): Message {
  const title = filled(template?.title ?? '', body).trim()
  return {
    ...message,
    // The title would be empty if the event lacks all paths of the template.
    ...(title !== '' && { title }),
    ...(template?.summary != null && { summary: filled(template.summary, body) }),
  }
}

/** A JSON value of any depth whose strings can have placeholders. */
export type JsonTemplate = string | number | boolean | null | JsonTemplate[] | { [name: string]: JsonTemplate }

/**
 * A JSON template with the values of a body, as JSON text. A string that is one placeholder alone becomes the value as
 * it is. Values are put into strings, never into text that is parsed, so the result is JSON whatever a name contains.
 * Undefined if the text would be longer than `maxBytes`: bytes are counted while the template is filled, so that at
 * most one value of the body beyond the limit is made.
 */
export function filledJson(template: JsonTemplate, body: Body, maxBytes: number): string | undefined {
  const textAt = textsIn(body)
  let left = maxBytes
  /** False once it is too much. */
  const takes = (bytes: number): boolean => {
    left -= bytes
    return left >= 0
  }
  const made = fill(template)
  if (left < 0) return undefined
  const text = JSON.stringify(made)
  return Buffer.byteLength(text) > maxBytes ? undefined : text

  function fill(part: JsonTemplate): unknown {
    if (left < 0) return null
    if (typeof part === 'string') return fillText(part)
    if (Array.isArray(part)) return part.map(fill)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, fill(each)]))
  }

  function fillText(text: string): unknown {
    const [, path] = /^\{\{\s*([A-Za-z0-9_.]+)\s*\}\}$/.exec(text) ?? []
    if (path !== undefined) {
      const value = valueAt(body, ...path.split('.')) ?? null
      // The text of an object is its JSON.
      return takes(Buffer.byteLength(textAt(path))) ? value : null
    }
    const parts: string[] = []
    for (const piece of pieces(text, textAt)) {
      if (!takes(Buffer.byteLength(piece))) return null
      parts.push(piece)
    }
    return parts.join('')
  }
}

/** All strings of a JSON template. */
export function textsOf(template: JsonTemplate): string[] {
  if (typeof template === 'string') return [template]
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap((each) => textsOf(each as JsonTemplate))
}

/** The placeholders of texts that no body of these events can have, each once. */
export function unknownPlaceholders(texts: readonly string[], subscribed: readonly EventName[]): string[] {
  const produced = subscribed.filter(isProduced)
  const paths = new Set(texts.flatMap((text) => [...text.matchAll(placeholders)].map(([, path]) => path!)))
  return [...paths].filter((path) => !produced.some((name) => isIn(schemaOf(name), path.split('.'))))
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
  $ref?: string
  type?: string
  definitions?: Record<string, JsonSchema>
  $defs?: Record<string, JsonSchema>
}

const schemas = new Map<string, JsonSchema>()

function schemaOf(name: keyof typeof bodySchemas): JsonSchema {
  const known = schemas.get(name)
  if (known) return known
  const made = z.toJSONSchema(bodySchemas[name], { io: 'input', unrepresentable: 'any' }) as JsonSchema
  schemas.set(name, made)
  return made
}

function isIn(root: JsonSchema, path: readonly string[]): boolean {
  const search = (schema: JsonSchema, at: readonly string[]): boolean => {
    const [name, ...rest] = at
    if (schema.$ref !== undefined) {
      const target = (root.$defs ?? root.definitions)?.[schema.$ref.split('/').at(-1)!]
      return target !== undefined && search(target, at)
    }
    if (schema.anyOf) return schema.anyOf.some((each) => search(each, at))
    if (name === undefined) return true
    if (schema.type === 'array') return /^\d+$/.test(name) && search(schema.items ?? {}, rest)
    const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (own) return search(own, rest)
    // A field of any shape, such as the value before a change.
    return schema.properties === undefined && (schema.additionalProperties !== undefined || schema.type === undefined)
  }
  return search(root, path)
}
