import { destinationSecrets } from '@svc/client'

/** The subset of JSON Schema that the description of the file uses. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: false | Schema
  items?: Schema
  enum?: readonly unknown[]
  pattern?: string
  minItems?: number
}

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }
const yesOrNo: Schema = { type: 'boolean' }
const keys: Schema = { type: 'array', items: text }
const share: Schema = {
  type: 'string',
  pattern: '^(\\d{1,2}(\\.\\d{1,2})?|100)%$',
  description: 'A share, such as 50% or 33.33%.',
}
const record = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const byKey = (entry: Schema): Schema => ({ type: 'object', additionalProperties: entry })
const anything: Schema = {}
const object: Schema = { type: 'object' }
const eventOf = { event: text, valueFrom: { enum: ['value', null] } }

/** The JSON Schema of the file. Editors check by it, and so does the command line. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Svc configuration',
  description: 'What a project contains, for svc export, svc plan and svc apply.',
  ...record(
    {
      version: { enum: [1] },
      project: record({ key: text, name: text }),
      environments: byKey(
        record(
          { name: text, color: text, protected: { ...yesOrNo, description: 'Left out: not managed here.' } },
          'name',
        ),
      ),
      metrics: byKey(
        record(
          {
            name: text,
            type: { enum: ['PROPORTION', 'MEAN', 'RATIO'] },
            ...eventOf,
            denominator: { ...record(eventOf, 'event'), type: ['object', 'null'] },
            direction: text,
            unit: textOrNull,
            conversionWindowHours: { type: 'number' },
            winsorizeAt: { type: ['number', 'null'] },
            nonInferiorityMargin: { type: ['number', 'null'] },
            archived: yesOrNo,
          },
          'name',
          'type',
          'event',
        ),
      ),
      segments: byKey(record({ name: text, description: textOrNull }, 'name')),
      audiences: byKey(record({ name: text, description: textOrNull, conditions: object }, 'name', 'conditions')),
      exclusionGroups: byKey(record({ name: text, slotSize: share }, 'name')),
      holdouts: byKey(record({ name: text, share, archived: yesOrNo }, 'name', 'share')),
      flags: byKey(
        record(
          {
            name: text,
            description: textOrNull,
            type: { enum: ['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] },
            tags: keys,
            permanent: yesOrNo,
            valueSchema: { type: ['object', 'null'] },
            variations: byKey(record({ name: text, value: anything }, 'name', 'value')),
            default: { ...text, description: 'Left out: the first variation.' },
            environments: byKey(
              record({
                enabled: { ...yesOrNo, description: 'Left out: not managed here.' },
                default: { ...text, description: 'Left out: the default of the flag.' },
                rules: { type: 'array', items: { $ref: '#/$defs/rule' } },
                overrides: {
                  ...record({ environment: byKey(keys), rules: byKey(byKey(keys)) }),
                  description: 'Visitor ids by variation. Left out: not managed here.',
                },
              }),
            ),
          },
          'name',
          'type',
          'variations',
        ),
      ),
      webhooks: byKey(
        record({ name: text, url: text, events: { ...keys, minItems: 1 }, enabled: yesOrNo }, 'name', 'url', 'events'),
      ),
      destinations: byKey(
        record(
          {
            name: text,
            kind: { enum: Object.keys(destinationSecrets) },
            events: { ...keys, minItems: 1 },
            environments: { type: ['array', 'null'], items: text, description: 'Null: all.' },
            allProjects: yesOrNo,
            digest: { enum: ['NONE', 'HOURLY', 'DAILY'] },
            quietHours: yesOrNo,
            template: { ...record({ title: textOrNull, summary: textOrNull }), type: ['object', 'null'] },
            config: { ...object, description: 'The fields of the kind that are no secrets. Those left out stay.' },
            secrets: {
              ...byKey(record({ env: text }, 'env')),
              description: 'The environment variable of each secret, read by svc plan and svc apply.',
            },
            enabled: yesOrNo,
          },
          'name',
          'kind',
          'events',
        ),
      ),
    },
    'version',
  ),
  $defs: {
    rule: record(
      {
        key: text,
        experiment: {
          type: 'number',
          description: 'The short id of the experiment that owns the rule. Nothing else follows.',
        },
        name: text,
        description: textOrNull,
        enabled: { ...yesOrNo, description: 'Left out: on for a new rule, and not managed for another.' },
        audiences: keys,
        conditions: object,
        bucketBy: text,
        traffic: share,
        salt: { ...text, description: 'Left out: not managed here.' },
        variation: { ...text, description: 'What a delivery serves.' },
        exposures: yesOrNo,
        split: { ...byKey(share), description: 'The shares of an A/B test.' },
        baseline: text,
        hypothesis: textOrNull,
        metrics: record({ primary: keys, secondary: keys, guardrails: keys }),
        statistics: object,
        exclusionGroup: textOrNull,
        holdout: textOrNull,
        sticky: yesOrNo,
      },
      'key',
    ),
  },
} as const satisfies Schema & Record<string, unknown>

/** What is wrong in a file, and where. */
export interface Fault {
  path: (string | number)[]
  message: string
}

/** All faults of a value under the schema. */
export function faultsOf(value: unknown, schema: Schema = configSchema as Schema, path: Fault['path'] = []): Fault[] {
  if (schema.$ref) return faultsOf(value, configSchema.$defs.rule as Schema, path)
  const fault = (message: string): Fault[] => [{ path, message }]
  const types = schema.type === undefined ? undefined : [schema.type].flat()
  const type = typeOf(value)
  if (types && !types.includes(type)) return fault(`must be ${types.map(wordOf).join(' or ')}, not ${wordOf(type)}.`)
  if (schema.enum && !schema.enum.includes(value)) return fault(`must be ${schema.enum.map(String).join(' or ')}.`)
  if (schema.pattern && !new RegExp(schema.pattern).test(value as string))
    return fault(`must be a share such as 50%, not ${value}.`)
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) return fault('must not be empty.')
    return schema.items ? value.flatMap((each, at) => faultsOf(each, schema.items, [...path, at])) : []
  }
  if (type !== 'object') return []
  const fields = value as Record<string, unknown>
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(fields, name))
  const inner = Object.entries(fields).flatMap(([name, each]) => {
    const known = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    const expected = known ?? schema.additionalProperties
    if (expected === false) return [{ path: [...path, name], message: 'is not a field of the file.' }]
    return expected ? faultsOf(each, expected, [...path, name]) : []
  })
  return [...missing.map((name) => ({ path, message: `must have ${name}.` })), ...inner]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const words: Record<string, string> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
}
const wordOf = (type: string): string => words[type] ?? type
