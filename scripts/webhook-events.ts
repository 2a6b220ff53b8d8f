import { z } from 'zod'
import { actions } from '../packages/server/src/catalogue/actions.ts'
import { type EventName, eventNames, events } from '../packages/server/src/catalogue/events.ts'
import { filteredFields } from '../packages/server/src/catalogue/nouns.ts'
import { bodySchemas, isProduced } from '../packages/server/src/catalogue/payloads.ts'

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string | string[]
  const?: unknown
  enum?: string[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  description?: string
}

interface Field {
  path: string
  type: string
  description: string
}

const baseNames = ['id', 'event', 'timestamp', 'project', 'triggeredBy']
const isBase = ({ path }: Field) => baseNames.includes(path.split('.')[0]!)

/** The page of all events, from the catalogue and the fields of each body. */
export function webhookEventsPage(): string {
  const produced = eventNames.filter(isProduced)
  return `# Webhook events

<!-- Printed from packages/server/src/catalogue/events.ts and payloads.ts by npm run documents. -->

This page lists every event and the fields of its body. A webhook can subscribe to every name. See [webhooks](webhooks.md) and how to [write a receiver](webhooks.md#write-a-receiver).

- *Safety* events always pass the organization's [notification filter](webhooks.md#filter-events-by-keyword).
- *Not yet* events belong to features that are not in this version. They never fire.

| event | meaning | notes |
|---|---|---|
${eventNames.map(catalogueRow).join('\n')}

## Fields of every body

The body is a JSON object with these fields and the fields of its event below. Bodies can gain fields at any time: ignore fields that you do not know.

${fieldTable(fieldsOf('flag.created').filter(isBase).map(anyEvent))}

## Fields that the keyword filter reads

${filteredTexts(produced)}. See [filter events by keyword](webhooks.md#filter-events-by-keyword).

${produced.map(eventSection).join('\n\n')}
`
}

/** The names and keys of objects in the bodies: `flag.name`, `flags[].key`. */
function filteredTexts(produced: readonly EventName[]): string {
  const texts = produced.flatMap(fieldsOf).flatMap(({ path }) => {
    const [, noun, text] = /^(\w+)(?:\[\])?\.(\w+)$/.exec(path) ?? []
    return filteredFields.some((field) => field === noun) && (text === 'name' || text === 'key') ? [path] : []
  })
  return [...new Set(texts)].map((text) => `\`${text}\``).join(', ')
}

function catalogueRow(name: EventName): string {
  const { meaning, safety, organizationWide }: { meaning: string; safety?: true; organizationWide?: true } =
    events[name]
  const notes = [
    safety && 'Safety.',
    organizationWide && 'Goes to the webhooks of every project of the organization.',
    !isProduced(name) && '*Not yet.*',
  ]
  const link = isProduced(name) ? `[\`${name}\`](#${name.replaceAll('.', '')})` : `\`${name}\``
  return `| ${link} | ${meaning} | ${notes.filter(Boolean).join(' ')} |`
}

function eventSection(name: EventName): string {
  const fields = fieldsOf(name)
  const own = name === 'webhook.test' ? fields : fields.filter((field) => !isBase(field))
  const table = own.length > 0 ? fieldTable(own) : 'Only the common fields.'
  const causes = Object.entries<{ events: readonly EventName[] }>(actions).flatMap(([action, made]) =>
    made.events.includes(name) ? [`\`${action}\``] : [],
  )
  const recorded = causes.length > 0 ? ` In the [audit log](audit-actions.md): ${causes.join(', ')}.` : ''
  return `## ${name}\n\n${events[name].meaning}.${recorded}${name === 'webhook.test' ? ' Its body has only these fields.' : ''}\n\n${table}`
}

/** The common fields belong to no particular event. */
const anyEvent = (field: Field): Field =>
  field.path === 'event'
    ? { path: 'event', type: 'string', description: 'Name of the event, as in `X-Svc-Event`.' }
    : field

const fieldTable = (fields: readonly Field[]): string =>
  ['| field | type | meaning |', '|---|---|---|', ...fields.map(fieldRow)].join('\n')

const fieldRow = ({ path, type, description }: Field): string => `| \`${path}\` | ${type} | ${description} |`

function fieldsOf(name: EventName): Field[] {
  if (!isProduced(name)) return []
  const schema = z.toJSONSchema(bodySchemas[name]) as JsonSchema
  return rowsOf(inlined(schema, schema.$defs), '')
}

/** With the named parts of the body in place of the references to them. */
function inlined<Node>(node: Node, parts: JsonSchema['$defs']): Node {
  if (Array.isArray(node)) return node.map((each) => inlined(each, parts)) as Node
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as JsonSchema
  const part = $ref && parts?.[$ref.split('/').at(-1)!]
  return Object.fromEntries(
    Object.entries({ ...part, ...rest }).map(([key, each]) => [key, inlined(each, parts)]),
  ) as Node
}

/** One row per field. A dot separates nested fields, and `[]` marks list items. */
function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    const shape = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
    const type = required.includes(name) ? typeOf(schema) : `${typeOf(schema)}, optional`
    const own = { path, type, description: schema.description ?? '' }
    return [own, ...(shape.items ? rowsOf(shape.items, `${path}[].`) : rowsOf(shape, `${path}.`))]
  })
}

function typeOf({ anyOf, const: constant, enum: choices, type }: JsonSchema): string {
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (choices) return choices.map((choice) => `\`"${choice}"\``).join(' or ')
  if (Array.isArray(type)) return type.join(' or ')
  return type === 'array' ? 'list' : (type ?? 'any')
}
