import type { Call } from './openapi.ts'

const variables: Record<string, string> = { projectId: 'SVC_PROJECT', envId: 'SVC_ENV' }
const variableOf = (name: string): string => variables[name] ?? name.replace(/[A-Z]/g, '_$&').toUpperCase()

/** The call as a curl command with the variables of the guides. */
export function curl({ method, path, parameters = [], requestBody, security }: Call): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema = {} }) => `${name}=${String(schema.enum?.[0] ?? schema.default ?? name)}`)
  const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => `$${variableOf(name)}`)
  const [[contentType, { example = undefined } = {}] = []] = Object.entries(requestBody?.content ?? {})
  const isImplied = method === 'GET' || (method === 'POST' && contentType !== undefined)
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"$SVC_URL${url}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    ...(security?.length === 0 ? [] : [`-H "Authorization: Bearer $SVC_TOKEN"`]),
  ]
  if (contentType !== undefined) {
    lines.push(`-H 'Content-Type: ${contentType}'`, `-d '${toJson(example).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}

const width = 80

/** Formats JSON as people write it: values that fit stay on one line. */
export function toJson(value: unknown, indent = ''): string {
  const flat = inLine(value)
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= width) return flat
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((each) => `${inner}${toJson(each, inner)}`)
    : Object.entries(value).map(([name, each]) => `${inner}${JSON.stringify(name)}: ${toJson(each, inner)}`)
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inLine(each)}`)
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}'
}
