import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

interface Operation {
  responses?: Record<string, unknown>
  requestBody?: { content?: Record<string, { schema?: { properties?: object } }> }
}

const banner = '// Printed from the OpenAPI document by `npm run documents`. The client defines the errors.\n\n'

/**
 * The types of every route, including the dashboard's own, for packages/client. Error responses are left out: all have
 * the same shape, and the client turns them into one class.
 */
export async function clientTypes(document: object): Promise<string> {
  const { paths = {}, ...rest } = document as { paths?: Record<string, Record<string, Operation>> }
  const entries = Object.entries(paths).map(([path, operations]) => [path, mapValues(operations, asCalled)])
  const successes = { ...rest, paths: Object.fromEntries(entries) } as unknown as OpenAPI3
  return banner + astToString(await openapiTS(successes))
}

/** Removes the error responses, and the body of an operation without one, which is described as `{}`. */
function asCalled({ responses = {}, requestBody, ...operation }: Operation): Operation {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const { schema } = requestBody?.content?.['application/json'] ?? {}
  const isEmpty = schema?.properties !== undefined && Object.keys(schema.properties).length === 0
  return { ...operation, responses: Object.fromEntries(successes), ...(requestBody && !isEmpty && { requestBody }) }
}

const mapValues = <Value, Result>(object: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
