import type { Attempt, Downloaded, FullAttempt, Outbound } from '../../src/platform/outbound/index.ts'

/** One request as the endpoint received it. */
export interface Received {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

type Answer = number | Partial<FullAttempt>

export interface TestReceiver {
  /** The outbound connections that end here. */
  outbound: Outbound
  /** Every request, in the order of arrival. */
  received: Received[]
  /** Every URL that was checked before it was saved. */
  checked: string[]
  /** Sets the answer to all further requests. Default: 204. */
  answer(how: (request: Received) => Answer | Promise<Answer>): void
  /** Sets which URLs are refused from now on, and why. */
  forbid(problemOf: (url: string) => string | undefined): void
  /** The requests to one URL. */
  at(url: string): Received[]
}

/** All customers' servers in memory. */
export function testReceiver(): TestReceiver {
  const received: Received[] = []
  const checked: string[] = []
  let answerOf: (request: Received) => Answer | Promise<Answer> = () => 204
  let problemOf: (url: string) => string | undefined = () => undefined
  async function request(request: Received): Promise<FullAttempt> {
    received.push(request)
    const answer = await answerOf(request)
    return attemptOf(typeof answer === 'number' ? { status: answer } : answer)
  }
  return {
    received,
    checked,
    outbound: {
      async checkUrl(url) {
        checked.push(url)
        return problemOf(url)
      },
      async post(url, headers, body): Promise<Attempt> {
        const { headers: _headers, ...attempt } = await request({
          method: 'POST',
          url,
          headers,
          body: body.toString('utf8'),
        })
        return attempt
      },
      request: ({ method, url, headers, body }) =>
        request({ method, url, headers, body: body?.toString('utf8') ?? '' }),
      async download(url, { headers = {}, credentials, onChunk }): Promise<Downloaded> {
        const given = { ...headers, ...credentials }
        const { status, error, body, ...answer } = await request({ method: 'GET', url, headers: given, body: '' })
        const bytes = Buffer.from(status === 200 ? body : '')
        if (bytes.length > 0) await onChunk(bytes)
        return { status, headers: answer.headers, url, bytes: bytes.length, error, isTransient: false }
      },
      close: async () => {},
    },
    answer: (how) => {
      answerOf = how
    },
    forbid: (how) => {
      problemOf = how
    },
    at: (url) => received.filter((request) => request.url === url),
  }
}

const attemptOf = (answer: Partial<FullAttempt>): FullAttempt => ({
  status: null,
  headers: {},
  body: '',
  error: null,
  retryAfter: null,
  durationMs: 1,
  charged: true,
  ...answer,
})

/** A promise and the function that resolves it, for a request that is answered when the test decides. */
export function held<Value>(): { promise: Promise<Value>; resolve(value: Value): void } {
  const { promise, resolve } = Promise.withResolvers<Value>()
  return { promise, resolve }
}
