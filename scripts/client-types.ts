import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import {
  defaultsInWords,
  type OpenApiDocument,
  type Operation,
  onlyUsed,
} from '../packages/server/src/http/openapi/document.ts'
import type { Schema } from '../packages/server/src/http/openapi/example.ts'

const banner = '// Printed from the OpenAPI document by `npm run documents`. The client defines the errors.\n\n'

/**
 * The types of every route, including the dashboard's own, for packages/client, without what its callers do not use:
 * error responses, which the client turns into one class, headers, examples and webhook deliveries.
 */
export async function clientTypes({ webhooks: _webhooks, ...document }: OpenApiDocument): Promise<string> {
  const { schemas = {} } = document.components ?? {}
  const paths = mapValues(document.paths ?? {}, (operations) => mapValues(operations, asCalled))
  const called = onlyUsed({ ...document, paths, components: { schemas: mapValues(schemas, withoutExamples) } })
  return banner + astToString(await openapiTS(defaultsInWords(called) as unknown as OpenAPI3))
}

/** Removes error responses and headers, and the file where an answer can be JSON or a file: callers of the client read JSON. */
function asCalled({ responses, ...operation }: Operation): Operation {
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { headers: _headers, ...answer }]) => [status, { ...answer, ...contentOf(answer) }])
  return { ...operation, responses: Object.fromEntries(successes) }
}

const contentOf = ({ content }: Operation['responses'][string]) => {
  const json = content?.['application/json']
  return json && { content: { 'application/json': json } }
}

const withoutExamples = ({ examples: _examples, ...schema }: Schema) => schema

const mapValues = <Value, Result>(object: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
