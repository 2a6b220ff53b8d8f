/**
 * The headers of answers. Each is a component of the OpenAPI document, to which operations refer. `always`: an answer
 * that names the header has it.
 */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'The id of the request in the log of the service. Give it when you report a problem.',
    always: true,
    example: '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests of this kind the credential can make in a minute.',
    type: 'integer',
    example: 600,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of these requests are left in this minute.',
    type: 'integer',
    example: 587,
  },
  'X-RateLimit-Reset': {
    description: 'When the next minute begins, in seconds since 1970.',
    type: 'integer',
    example: 1_796_115_600,
  },
  'Cache-Control': { description: 'How long caches can keep the answer.', always: true, example: 'no-store' },
  ETag: {
    description: 'The version of the resource. Send it in `X-Svc-If-Match` to change only this version.',
    always: true,
    example: '"f7"',
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    example: 'true',
  },
  'Content-Disposition': {
    description: 'The name under which a browser saves the file.',
    always: true,
    example: 'attachment; filename="audit.csv"',
  },
  'X-Manifest-Capabilities': {
    description: 'What the credential is allowed to do with the manifest.',
    always: true,
    example: 'read',
  },
  'Retry-After': { description: 'How many seconds to wait before the next attempt.', type: 'integer', example: 1 },
  'WWW-Authenticate': { description: 'How to authenticate: with a bearer token.', example: 'Bearer' },
  Allow: { description: 'The methods that the address accepts.', always: true, example: 'GET, HEAD, PATCH' },
  Vary: {
    description: 'The request headers that select the form of the answer.',
    always: true,
    example: 'Accept-Encoding',
  },
  'Access-Control-Allow-Origin': {
    description: 'Scripts of every origin can read the answer.',
    always: true,
    example: '*',
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that scripts of other origins can read.',
    always: true,
    example: 'ETag, Retry-After',
  },
} as const satisfies Record<string, { description: string; type?: 'integer'; always?: true; example: string | number }>

export type AnswerHeader = keyof typeof answerHeaders

/** The headers of every answer. */
export const commonAnswerHeaders = ['X-Request-Id'] as const

/** The headers that let scripts of every origin read the answer. */
export const crossOriginHeaders = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] as const

export const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
