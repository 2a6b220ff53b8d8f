import type { Body, OpenApi, Operation, Schema, Schemas } from './openapi.ts'

/**
 * The document in a readable form: request bodies, responses, and objects that are used once are shown where they are
 * used. The remaining schemas are the objects that several calls use.
 */
export function inPlace(document: OpenApi): OpenApi {
  const { components = {} } = document
  const { schemas = {}, responses = {} } = components
  const uses = usesIn(schemas)
  const whole = (name: string): Schema => {
    const { examples: _examples, ...schema } = schemas[name] ?? {}
    return expanded(schema)
  }
  const expanded = (schema: Schema): Schema => {
    const name = nameOf(schema)
    if (name !== undefined) return uses.get(name) === 1 ? { ...whole(name), ...without$ref(schema) } : schema
    const { properties, items, additionalProperties, oneOf, anyOf } = schema
    return {
      ...schema,
      ...(properties && { properties: mapValues(properties, expanded) }),
      ...(items && { items: expanded(items) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: expanded(additionalProperties) }),
      ...(oneOf && { oneOf: oneOf.map(expanded) }),
      ...(anyOf && { anyOf: anyOf.map(expanded) }),
    }
  }
  const withContent = <Part extends Body>({ content, ...part }: Part): Part =>
    ({
      ...part,
      ...(content && {
        content: mapValues(content, ({ schema = {}, ...media }) => {
          const name = nameOf(schema)
          const example = (name === undefined ? schema : (schemas[name] ?? {})).examples?.[0]
          return {
            ...media,
            schema: name === undefined ? schema : whole(name),
            ...(example !== undefined && { example }),
          }
        }),
      }),
    }) as Part
  const complete = ({ requestBody, responses: answers, ...operation }: Operation): Operation => ({
    ...operation,
    ...(requestBody && { requestBody: withContent(requestBody) }),
    responses: mapValues(answers, (answer) => {
      const shared = nameOf(answer)
      return shared === undefined ? withContent(answer) : (responses[shared] ?? {})
    }),
  })
  const completed = (paths: OpenApi['paths']) => mapValues(paths, (operations) => mapValues(operations, complete))
  const kept = Object.entries(schemas).filter(([name]) => (uses.get(name) ?? 0) > 1 || name === errorName)
  return {
    ...document,
    paths: completed(document.paths),
    webhooks: completed(document.webhooks ?? {}),
    components: {
      ...components,
      schemas: Object.fromEntries(kept.map(([name, schema]) => [name, expanded(schema)])),
    },
  }
}

/** The response of every call that fails. */
const errorName = 'Error'

const nameOf = ({ $ref }: { $ref?: string }): string | undefined => $ref?.split('/').at(-1)

const without$ref = ({ $ref: _reference, ...rest }: Schema): Schema => rest

/** The number of references to each schema within other schemas. */
function usesIn(schemas: Schemas): Map<string, number> {
  const uses = new Map<string, number>()
  for (const [, name = ''] of JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    uses.set(name, (uses.get(name) ?? 0) + 1)
  return uses
}

const mapValues = <Value, Result>(object: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
