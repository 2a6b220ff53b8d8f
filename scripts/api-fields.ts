import { idShape } from '../packages/server/src/fields.ts'
import type { OpenApiDocument } from '../packages/server/src/http/openapi/document.ts'
import { maxJsonBytes } from '../packages/server/src/wings/flags/flags/value.ts'
import { maxOverrideIds } from '../packages/server/src/wings/flags/switches/overrides/overrides.ts'

/** The bodies that `svc apply` sends. */
const bodies = [
  ...['CreateProjectBody', 'CreateEnvironmentBody', 'CreateMetricBody', 'CreateSegmentBody', 'CreateAudienceBody'],
  ...['CreateExclusionGroupBody', 'CreateHoldoutBody', 'CreateFlagBody', 'NewVariation', 'ReplaceDraftBody'],
  ...['DraftedDeliveryRule', 'DraftedAbTestRule', 'CreateWebhookBody', 'NewSlackDestination'],
]

/** What no schema of the API says. A key in an address must not look like an id. */
const limits = { overrideIds: maxOverrideIds, jsonBytes: maxJsonBytes, idShape: idShape.source }

/** The keywords of JSON Schema that bound a value. */
const keywords = [
  ...['type', 'enum', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]

type Json = Record<string, unknown>

/**
 * What the API accepts in these bodies, for the command line, which must not import the server: so a limit of the API is
 * a limit of the configuration file, and `svc plan` refuses what `svc apply` would.
 */
export function apiFields({ components = {} }: OpenApiDocument): string {
  const schemas = (components.schemas ?? {}) as Record<string, Json>
  const bounded = (schema: Json): Json => {
    if (typeof schema.$ref === 'string') return bounded(schemas[schema.$ref.split('/').at(-1)!]!)
    if (Array.isArray(schema.anyOf)) return nullable(bounded(schema.anyOf.find(({ type }: Json) => type !== 'null')))
    const { properties, items, required, additionalProperties } = schema as Record<string, Json | undefined>
    return {
      ...Object.fromEntries(keywords.flatMap((name) => (isBound(schema[name]) ? [[name, schema[name]]] : []))),
      ...(properties && { properties: mapped(properties, (each) => bounded(each as Json)) }),
      ...(required && { required }),
      ...((additionalProperties as unknown) === false && { additionalProperties: false }),
      ...(items && { items: withoutNames(bounded(items)) }),
    }
  }
  const fields = bodies.map((name) => [name, mapped(bounded(schemas[name]!).properties as Json, (each) => each)])
  return `// Printed from the OpenAPI document by \`npm run documents\`.

/** What the API accepts in the bodies that \`svc apply\` sends. */
export const apiFields = ${JSON.stringify(Object.fromEntries(fields))} as const

/** Limits of the API that no schema can say. */
export const apiLimits = ${JSON.stringify(limits)} as const
`
}

const mapped = (record: Json, map: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

const isBound = (value: unknown): boolean => value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER

const nullable = ({ type, enum: values, ...schema }: Json): Json =>
  values
    ? { ...schema, enum: [...(values as unknown[]), null] }
    : { ...schema, ...(type !== undefined && { type: [type, 'null'] }) }

/** A newer service has events that this command line does not know. */
const withoutNames = ({ enum: _names, ...items }: Json): Json => items
