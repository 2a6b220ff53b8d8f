import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid, notFound, refuse } from '../../../../catalogue/refusals.ts'
import { accepted, type ErrorContext, Refused, sendRefusal } from '../../../../http/errors.ts'
import { type AnswerHeader, crossOriginHeaders } from '../../../../http/openapi/answer-headers.ts'
import { sdkOperation } from '../../../../http/openapi/operation.ts'
import { acceptFromSdks, describedFailures, type SdkAddress } from '../../../../http/sdk-post.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OpenRoom } from '../../../../platform/held.ts'
import { issueTexts } from '../../../../platform/issue-text.ts'
import { inTurn, TooBusy } from '../../../../turns.ts'
import { anyOrigin } from '../../../serving/datafile/index.ts'
import { redeemCode } from '../editor/actions.ts'
import { redeemBody, redeemedSchema } from '../editor/schema.ts'
import { moduleOf, type PreviewContext, takeTicket } from '../previews/actions.ts'
import { ticketBody, ticketSchema } from '../previews/schema.ts'
import { limits } from './limits.ts'

interface Context extends PreviewContext, ErrorContext {
  db: Db
  openRoom: OpenRoom
}

const maxBytes = 4096
const retryAfterSeconds = 5
/** Whoever has a link to a preview can have its module made, which reads the database and the HTML of a whole draft. */
const modules = { atOnce: 1, waitingAtMost: 20, patienceMs: 10_000 }
const modulesUrl = '/sdk/v1/web/previews'

/** What pages of sites and the editor's frame call with a secret in place of a credential. */
export function serveWebLinks(app: FastifyInstance, context: Context): void {
  const { db, now, baseUrl, openRoom, isUnavailable } = context
  // Each has its own tries: any page can use up those of previews for its visitor's address.
  const shared = { maxBytes, perMinute: limits.triesPerMinute, openRoom, retryAfterSeconds, isUnavailable }
  const ticket: SdkAddress = {
    url: '/api/web/v1/previews/ticket',
    described: ticketOperation,
    async handle(request, reply) {
      const { ticket, expiresAt } = accepted(await takeTicket(context, bodyOf(ticketBody, request)))
      const module = `${baseUrl}${modulesUrl}/${ticket}`
      return reply.header('cache-control', 'no-store').send({ module, expiresAt: expiresAt.toISOString() })
    },
  }
  acceptFromSdks(app, { ...shared, addresses: [ticket], what: 'tries of previews' })
  const redeem: SdkAddress = {
    url: '/api/web/v1/editor/redeem',
    described: redeemOperation,
    origin: new URL(baseUrl).origin,
    async handle(request, reply) {
      const redeemed = accepted(await redeemCode(db, bodyOf(redeemBody, request).code, now()))
      const answer = { ...redeemed, expiresAt: redeemed.expiresAt.toISOString() }
      return reply.header('cache-control', 'no-store').send(answer)
    },
  }
  acceptFromSdks(app, { ...shared, addresses: [redeem], what: 'tries of codes' })
  const take = inTurn(modules)
  const config = { quiet: true, described: { url: `${modulesUrl}/:ticket`, schema: moduleOperation } } as const
  // Not as a named parameter, whose length is limited.
  app.get<{ Params: { '*': string } }>(`${modulesUrl}/*`, { config }, async (request, reply) => {
    reply.headers({ ...anyOrigin, 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'no-store' })
    const module = await take(() => moduleOf(context, request.params['*'])).catch(busy)
    if (module === undefined) return sendRefusal(reply, context, notFound('Preview'))
    return reply.type('text/javascript; charset=utf-8').send(module)
  })
}

function busy(error: unknown): never {
  throw error instanceof TooBusy
    ? new Refused(refuse('unavailable', 'Too many previews are being made. Try again shortly.'))
    : error
}

function bodyOf<Body extends z.ZodType>(schema: Body, { body }: FastifyRequest): z.output<Body> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refused(invalid({ path: [], message: issueTexts(parsed.error.issues, body, 'The body')[0]! }))
}

const errorSchema = z.object({ error: z.string() }).meta({ id: 'WebLinkError' })

const tooMany = 'Too many tries from this address'

const ticketOperation = sdkOperation({
  operationId: 'getPreviewTicket',
  summary: 'Exchange the secret of a preview for its module',
  description:
    'What the script of a site does with the secret in a preview’s link. The module applies the draft; its address works for 60 seconds. 60 tries a minute and address. Requires no credential besides the secret.',
  body: ticketBody,
  consumes: ['application/json', 'text/plain'],
  answers: {
    200: {
      description: 'Success',
      headers: ['Access-Control-Allow-Origin', 'Cache-Control'],
      content: { 'application/json': ticketSchema },
    },
    ...describedFailures(
      'The ticket',
      tooMany,
      errorSchema,
      'The preview is unknown, or it was revoked or has expired',
    ),
  },
})

const ownFailures = Object.fromEntries(
  Object.entries(describedFailures('The code', tooMany, errorSchema, 'The code is unknown, expired or was used')).map(
    ([status, answer]) => [
      status,
      {
        ...answer,
        headers: answer.headers.filter((name): name is AnswerHeader => name !== 'Access-Control-Allow-Origin'),
      },
    ],
  ),
)

const redeemOperation = sdkOperation({
  operationId: 'redeemEditorCode',
  summary: 'Exchange a code for the token of an editor session',
  description:
    'What the frame of the visual editor does. Only pages of this service can do it. A code works once; a code that comes twice ends the session. 60 tries a minute and address.',
  body: redeemBody,
  consumes: ['application/json', 'text/plain'],
  answers: {
    200: { description: 'Success', headers: ['Cache-Control'], content: { 'application/json': redeemedSchema } },
    ...ownFailures,
    403: {
      description: 'The request does not come from a page of this service',
      headers: [],
      content: { 'application/json': errorSchema },
    },
  },
})

const moduleOperation = sdkOperation({
  operationId: 'getPreviewModule',
  summary: 'Get the module of a preview',
  description:
    'A module that applies a draft to the page that imports it. It sends nothing and counts nobody. Requires no credential besides the ticket in the address.',
  params: z.object({ ticket: z.string() }),
  answers: {
    200: {
      description: 'The module',
      headers: ['Cache-Control', ...crossOriginHeaders],
      content: { 'text/javascript': z.string().meta({ examples: ['((svcContent,svcParts)=>{…})({…},[])'] }) },
    },
  },
  refusals: ['not_found', 'internal_error', 'unavailable'],
})
