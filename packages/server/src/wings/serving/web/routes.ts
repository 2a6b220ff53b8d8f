import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { notFound } from '../../../catalogue/refusals.ts'
import type { FindAnswer } from '../../../http/ahead.ts'
import { type ErrorContext, sendRefusal } from '../../../http/errors.ts'
import { crossOriginHeaders } from '../../../http/openapi/answer-headers.ts'
import { sdkOperation } from '../../../http/openapi/operation.ts'
import { sdkKeyField } from '../datafile/index.ts'
import { answerWith, anyPage } from './answer.ts'
import type { WebFileKind, WebFiles } from './files.ts'
import { webDocumentSchema } from './schema.ts'

/** Where a page finds the script, and a server the document. */
const places: Record<WebFileKind, { folder: string; suffix: string; name: string }> = {
  script: { folder: '/sdk/v1/web', suffix: '.js', name: 'Script' },
  document: { folder: '/api/sdk/v1/web', suffix: '.json', name: 'Web document' },
}
const kinds = Object.keys(places) as WebFileKind[]
const routeOf = (kind: WebFileKind): string => `${places[kind].folder}/:file`
const preflightSeconds = 86_400

/** Notes that somebody asks with this SDK key. */
type Used = (sdkKey: string) => void

/** Serves what pages of web projects load: public, precompressed and from memory. */
export function serveWebFiles(
  app: FastifyInstance,
  files: WebFiles,
  { used, ...errors }: ErrorContext & { used: Used },
): void {
  for (const kind of kinds) {
    const { suffix, name } = places[kind]
    const config = { quiet: true, described: described[kind] } as const
    app.get<{ Params: { file: string } }>(routeOf(kind), { config }, async (request, reply) => {
      // Set first, so that pages of any origin can read error responses too.
      reply.headers(anyPage)
      const { file } = request.params
      const sdkKey = file.slice(0, -suffix.length)
      const found = file.endsWith(suffix) ? await files.find(kind, sdkKey) : undefined
      if (!found) return sendRefusal(reply, errors, notFound(name))
      used(sdkKey)
      const { headers, encoding } = answerWith(kind, found, request.headers)
      reply.headers(headers)
      return encoding ? reply.send(await found.body(encoding)) : reply.code(304).send()
    })
    app.options(routeOf(kind), { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) => {
      return reply
        .headers(anyPage)
        .header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
        .header('access-control-allow-headers', 'If-None-Match')
        .header('access-control-max-age', preflightSeconds)
        .code(204)
        .send()
    })
  }
}

/** The same answers before the web framework, for files in memory. */
export function webFilesAhead(files: WebFiles, used: Used): FindAnswer {
  return ({ method, url = '', headers: asked }) => {
    if (method !== 'GET') return undefined
    const kind = kinds.find((each) => url.startsWith(`${places[each].folder}/`) && url.endsWith(places[each].suffix))
    if (!kind) return undefined
    const { folder, suffix } = places[kind]
    const sdkKey = url.slice(folder.length + 1, -suffix.length)
    const found = files.findHeld(kind, sdkKey)
    if (!found) return undefined
    const { headers, encoding } = answerWith(kind, found, asked)
    const body = encoding && found.body(encoding)
    if (body instanceof Promise) return undefined
    used(sdkKey)
    const route = routeOf(kind)
    return body ? { route, status: 200, headers, body } : { route, status: 304, headers }
  }
}

const describedHeaders = ['ETag', 'Cache-Control', 'Vary', ...crossOriginHeaders] as const

const askedHeaders = z.looseObject({
  'if-none-match': z.string().optional().meta({
    description: 'The ETag of the file that you have. If it is current, the answer is 304.',
  }),
})

const scriptText = z.string().meta({ examples: ['(svcContent=>{…})({…})'] })

/** Unlike the routes, the document names the key alone. */
const described = {
  script: {
    url: `${places.script.folder}/:sdkKey.js`,
    schema: sdkOperation({
      operationId: 'getWebScript',
      summary: 'Get the script of web experiments',
      description:
        'The script that a page of a WEB project loads: the engine with the published content of an environment. Requires no credential: the SDK key is public.',
      params: z.object({ sdkKey: sdkKeyField }),
      headers: askedHeaders,
      answers: {
        200: { description: 'The script', headers: describedHeaders, content: { 'text/javascript': scriptText } },
        304: { description: 'The script with the ETag in `If-None-Match` is current', headers: describedHeaders },
      },
      refusals: ['not_found', 'internal_error', 'unavailable'],
    }),
  },
  document: {
    url: `${places.document.folder}/:sdkKey.json`,
    schema: sdkOperation({
      operationId: 'getWebDocument',
      summary: 'Get the web document of an environment',
      description:
        'What the pages of a WEB project need besides the data file, at the same revision: running and rolled-out experiments, without names, drafts and hosts. For servers and edges. Requires no credential: the SDK key is public.',
      params: z.object({ sdkKey: sdkKeyField }),
      headers: askedHeaders,
      answers: {
        200: {
          description: 'The web document',
          headers: describedHeaders,
          content: { 'application/json': webDocumentSchema },
        },
        304: { description: 'The document with the ETag in `If-None-Match` is current', headers: describedHeaders },
      },
      refusals: ['not_found', 'internal_error', 'unavailable'],
    }),
  },
} as const
