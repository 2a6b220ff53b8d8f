import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answered } from './answered.ts'
import { commonHeaders, newRequestId } from './headers.ts'

/** An answer that is there at once. */
export interface ReadyAnswer {
  /** As the framework calls the route. */
  route: string
  status: number
  headers: Record<string, string>
  body?: Buffer
}

/** The answer to a request, where it is there at once. */
export type FindAnswer = (request: IncomingMessage) => ReadyAnswer | undefined

/** Whether the request has been answered. */
export type AnswerAhead = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Answers ahead of the framework what is there at once, and asked for so often that the framework's part, half of the
 * work, is felt. Everything else is the framework's: whatever has a body, the first to ask, what is not there.
 */
export function answersAhead(
  find: FindAnswer,
  { answered, baseUrl }: { answered: Answered; baseUrl: string },
): AnswerAhead {
  return (request, response) => {
    const { headers } = request
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const begun = performance.now()
    const answer = find(request)
    if (!answer) return false
    const { route, status, body } = answer
    const fields: Record<string, string | number> = { ...commonHeaders(newRequestId(), baseUrl), ...answer.headers }
    if (body) fields['content-length'] = body.length
    if (answered.isDraining()) fields.connection = 'close'
    response.writeHead(status, fields)
    response.end(body)
    // Not when it has left: a listener for that costs as much as all of this.
    answered.observe('GET', route, status, performance.now() - begun)
    return true
  }
}
