import { ApiError } from '@svc/client'
import { masked } from './terminal/terminal.ts'

/** The exit codes, which scripts rely on. */
export const exitCodes = { done: 0, failed: 1, usage: 2, credentials: 3, notFound: 4, conflict: 5, interrupted: 130 }

/** The problems that the command line itself finds, with their exit codes. Problems of the API have its own codes. */
const ownCodes = {
  usage: exitCodes.usage,
  file_invalid: exitCodes.usage,
  no_credentials: exitCodes.credentials,
  not_found: exitCodes.notFound,
  conflict: exitCodes.conflict,
  declined: exitCodes.failed,
  different: exitCodes.failed,
  failed: exitCodes.failed,
  interrupted: exitCodes.interrupted,
} as const

/** Why the command ends without having done what was asked. */
export class Problem extends Error {
  readonly code: keyof typeof ownCodes

  constructor(code: keyof typeof ownCodes, message: string) {
    super(message)
    this.code = code
  }
}

export const usage = (message: string): Problem => new Problem('usage', message)

/**
 * The secret that an answer shows once. It is null in an answer that the service repeats, because the first one was lost
 * on its way.
 *
 * @param lost what has happened, without a period
 * @param advice how to get a secret
 */
export function secretIn({ secret }: { secret: string | null }, lost: string, advice: string): string {
  if (secret === null) throw new Problem('failed', `${lost}, and it cannot be shown again. To get one, ${advice}.`)
  return secret
}

const byStatus: Record<number, number> = {
  400: exitCodes.usage,
  401: exitCodes.credentials,
  403: exitCodes.credentials,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  410: exitCodes.notFound,
  412: exitCodes.conflict,
  413: exitCodes.usage,
  415: exitCodes.usage,
  422: exitCodes.usage,
}

/** The object of a problem that `--json` prints. */
export interface Shown {
  code: string
  message: string
  docUrl: string | null
  requestId: string | null
  details: Record<string, unknown>
  status: number | null
}

/** A problem as it is printed. Secrets that were given by mistake, such as a token for a key, are not repeated. */
export function shownProblem(error: unknown): { shown: Shown; exitCode: number } {
  const { shown, exitCode } = described(error)
  return { shown: JSON.parse(masked(JSON.stringify(shown))), exitCode }
}

function described(error: unknown): { shown: Shown; exitCode: number } {
  const none = { docUrl: null, requestId: null, details: {}, status: null }
  if (error instanceof Problem)
    return { shown: { code: error.code, message: error.message, ...none }, exitCode: ownCodes[error.code] }
  if (error instanceof ApiError) {
    const { code, message, docUrl, requestId, details, status } = error
    return {
      shown: { code, message, docUrl, requestId, details, status: status || null },
      exitCode: byStatus[status] ?? exitCodes.failed,
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { shown: { code: 'failed', message, ...none }, exitCode: exitCodes.failed }
}

/** `Flag "x" was not found.` becomes `Flag "x" was not found (not_found).` A question keeps its mark. */
export function withCode({ message, code }: Pick<Shown, 'message' | 'code'>): string {
  return message.endsWith('?') ? `${message} (${code})` : `${message.replace(/\.$/, '')} (${code}).`
}

/** An error of the service with a different message. */
export function named(error: ApiError, message: string): ApiError {
  const { code, status, requestId, docUrl, details } = error
  return new ApiError(message, { code, status, requestId, docUrl, details })
}
