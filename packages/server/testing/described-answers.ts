import { z } from 'zod'
import { type OpenApiDocument, type Operation, onlyUsed, type Response } from '../src/http/openapi/document.ts'
import type { Answer } from './service.ts'

/** Headers of the connection, of the body's form, and those that every answer has for the safety of browsers. */
const undescribed = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'strict-transport-security',
  'transfer-encoding',
  'x-accel-buffering',
  'x-content-type-options',
]

interface Header {
  required?: boolean
}

/** Compares answers with what the OpenAPI document says about them. */
export function describedAnswers(document: OpenApiDocument) {
  const { components = {} } = document
  const parsers = new Map<string, z.ZodType>()
  const resolved = <Found>(node: Found & { $ref?: string }): Found => {
    const [kind, name] = node.$ref?.split('/').slice(2) ?? []
    return kind && name ? (components[kind]?.[name] as Found) : node
  }

  function parserOf(schema: object): z.ZodType {
    const { components: used } = onlyUsed({ schema, components })
    const text = JSON.stringify({ ...schema, $defs: used?.schemas })
    const key = JSON.stringify(schema)
    const parser =
      parsers.get(key) ?? z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
    parsers.set(key, parser)
    return parser
  }

  /** What is not as described: none for an answer that is. */
  function faultsOf({ operationId, responses }: Operation, { status, headers, body, text }: Answer): string[] {
    const fault = (said: string) => `${operationId} ${status}: ${said} ${text.slice(0, 500)}`
    const response: Response | undefined = responses[status] && resolved(responses[status])
    if (!response) return [fault('the status is not described')]
    const described = Object.entries(response.headers ?? {}).map(([name, header]) => ({
      name: name.toLowerCase(),
      isRequired: resolved<Header>(header).required || (status < 500 && name.startsWith('X-RateLimit-')),
    }))
    const sent = Object.keys(headers).filter((name) => !undescribed.includes(name))
    const unknown = sent.filter((name) => !described.some((each) => each.name === name))
    const missing = described.filter(({ name, isRequired }) => isRequired && headers[name] === undefined)
    const media = response.content?.[String(headers['content-type']).split(';')[0]!]
    const problem = media?.schema && body !== undefined && parserOf(media.schema).safeParse(body).error
    const kinds = Object.values((media?.examples ?? {}) as Record<string, { value: { error: { code: string } } }>)
    const { code } = (body?.error ?? {}) as { code?: string }
    return [
      ...unknown.map((name) => fault(`the header ${name} is not described`)),
      ...missing.map(({ name }) => fault(`the header ${name} is missing`)),
      ...(problem ? [fault(`the body does not match: ${problem.message}`)] : []),
      ...(code && !kinds.some(({ value }) => value.error.code === code) ? [fault(`${code} is not described`)] : []),
    ]
  }

  return { faultsOf, parserOf, resolved }
}
