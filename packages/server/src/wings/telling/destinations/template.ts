import { z } from 'zod'
import type { EventName } from '../../../catalogue/events.ts'
import { bodySchemas, isProduced } from '../../../catalogue/payloads.ts'
import { type Body, valueAt } from './body.ts'
import type { Message } from './kinds/ticket-kind.ts'

/** What a destination says instead of our title and summary. Null: ours. */
export interface Template {
  title: string | null
  summary: string | null
}

export const templateMaxLength = 4_000
/** `{{flag.name}}`, also with an index: `{{flags.0.key}}`. Nothing else is special. */
const placeholders = /\{\{\s*([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)\s*\}\}/g

/** A text with the values of a body. What the body does not have is empty. */
export const filled = (text: string, body: Body): string =>
  text.replace(placeholders, (_, path: string) => textOf(valueAt(body, ...path.split('.'))))

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function withTemplate(message: Message, template: Template | null, body: Body): Message {
  const title = filled(template?.title ?? '', body).trim()
  return {
    ...message,
    // A title of which nothing is left, because this event lacks its paths, would be none.
    ...(title !== '' && { title }),
    ...(template?.summary != null && { summary: filled(template.summary, body) }),
  }
}

/** A JSON value of any depth whose strings can have placeholders. */
export type JsonTemplate = string | number | boolean | null | JsonTemplate[] | { [name: string]: JsonTemplate }

/**
 * A JSON template with the values of a body. A string that is one placeholder alone becomes the value as it is. Values
 * are put into strings, never into text that is parsed, so the result is JSON whatever a name contains.
 */
export function filledJson(template: JsonTemplate, body: Body): unknown {
  if (typeof template === 'string') {
    const alone = /^\{\{\s*([A-Za-z0-9_.]+)\s*\}\}$/.exec(template)
    return alone ? (valueAt(body, ...alone[1]!.split('.')) ?? null) : filled(template, body)
  }
  if (Array.isArray(template)) return template.map((each) => filledJson(each, body))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, filledJson(each, body)]))
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
