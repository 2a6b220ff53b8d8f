import type { Answer } from './service.ts'

/**
 * An error without what is different in each answer: the id of the request, and what the address named, which an answer
 * that it was not found repeats.
 *
 * @param named for each name in the address, in its order, what the caller has sent
 */
export function comparableError(
  { body }: Pick<Answer, 'body'>,
  named: Record<string, string>,
): Record<string, unknown> {
  const { requestId: _requestId, message, ...error } = body?.error ?? {}
  const repeated = Object.entries(named).reduce<string | undefined>(
    (text, [name, sent]) => text?.replace(JSON.stringify(sent), `{${name}}`),
    message,
  )
  return { ...error, message: repeated }
}
