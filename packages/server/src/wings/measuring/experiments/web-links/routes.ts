import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { invalid, notFound } from '../../../../catalogue/refusals.ts'
import { accepted, type ErrorContext, Refused, sendRefusal } from '../../../../http/errors.ts'
import { acceptFromSdks } from '../../../../http/sdk-post.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OpenRoom } from '../../../../platform/held.ts'
import { issueTexts } from '../../../../platform/issue-text.ts'
import { anyOrigin } from '../../../serving/datafile/index.ts'
import { redeemCode } from '../editor/actions.ts'
import { redeemBody } from '../editor/schema.ts'
import { moduleOf, type PreviewContext, takeTicket } from '../previews/actions.ts'
import { ticketBody } from '../previews/schema.ts'
import { limits } from './limits.ts'
import { moduleOperation, redeemOperation, ticketOperation } from './schema.ts'

interface Context extends PreviewContext, ErrorContext {
  db: Db
  openRoom: OpenRoom
}

const maxBytes = 4096
const retryAfterSeconds = 5
const modulesUrl = '/sdk/v1/web/previews'

/** What pages of sites and the editor's frame call with a secret in place of a credential. */
export function serveWebLinks(app: FastifyInstance, context: Context): void {
  const { db, now, baseUrl, openRoom, isUnavailable } = context
  acceptFromSdks(app, {
    addresses: [
      {
        url: '/api/web/v1/previews/ticket',
        described: ticketOperation,
        async handle(request, reply) {
          const { ticket, expiresAt } = accepted(await takeTicket(context, bodyOf(ticketBody, request)))
          const module = `${baseUrl}${modulesUrl}/${ticket}`
          return reply.header('cache-control', 'no-store').send({ module, expiresAt: expiresAt.toISOString() })
        },
      },
      {
        url: '/api/web/v1/editor/redeem',
        described: redeemOperation,
        origin: new URL(baseUrl).origin,
        async handle(request, reply) {
          const redeemed = accepted(await redeemCode(db, bodyOf(redeemBody, request).code, now()))
          const answer = { ...redeemed, expiresAt: redeemed.expiresAt.toISOString() }
          return reply.header('cache-control', 'no-store').send(answer)
        },
      },
    ],
    what: 'tries',
    maxBytes,
    perMinute: limits.triesPerMinute,
    openRoom,
    retryAfterSeconds,
    isUnavailable,
  })
  const config = { quiet: true, described: { url: `${modulesUrl}/:ticket`, schema: moduleOperation } } as const
  // Not as a named parameter, whose length is limited.
  app.get<{ Params: { '*': string } }>(`${modulesUrl}/*`, { config }, async (request, reply) => {
    reply.headers({ ...anyOrigin, 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'no-store' })
    const module = await moduleOf(context, request.params['*'])
    if (module === undefined) return sendRefusal(reply, context, notFound('Preview'))
    return reply.type('text/javascript; charset=utf-8').send(module)
  })
}

function bodyOf<Body extends z.ZodType>(schema: Body, { body }: FastifyRequest): z.output<Body> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refused(invalid({ path: [], message: issueTexts(parsed.error.issues, body, 'The body')[0]! }))
}
