import { z } from 'zod'
import { type AnswerHeader, crossOriginHeaders } from '../../../../http/openapi/answer-headers.ts'
import { sdkOperation } from '../../../../http/openapi/operation.ts'
import { describedFailures } from '../../../../http/sdk-post.ts'
import { redeemBody, redeemedSchema } from '../editor/schema.ts'
import { ticketBody, ticketSchema } from '../previews/schema.ts'

const errorSchema = z.object({ error: z.string() }).meta({ id: 'WebLinkError' })

const tooMany = 'Too many tries from this address'

export const ticketOperation = sdkOperation({
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

export const redeemOperation = sdkOperation({
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

export const moduleOperation = sdkOperation({
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
