/** A broken rule: the path into the body, or the name of the query parameter, and the rule. */
export interface Issue {
  path: (string | number)[]
  message: string
}

/** The error of every failed call. Match on `code`, show `message`, quote `requestId`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Stable, see /docs/errors; `unreachable` if no answer came, `unreadable` if it did not come from the service. */
  readonly code: string
  /** The HTTP status; 0 if no answer came. */
  readonly status: number
  /** The id of the request in the log of the service; null if no answer came. */
  readonly requestId: string | null
  /** The section of the docs about this code; null unless the service answered with it. */
  readonly docUrl: string | null
  /** The fields and rules that `validation_failed` and `already_exists` name. */
  readonly issues: readonly Issue[]
  /** Further details of the error, such as the `references` that prevent a deletion. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, failure: Failure, options?: ErrorOptions) {
    super(message, options)
    this.code = failure.code
    this.status = failure.status
    this.requestId = failure.requestId
    this.docUrl = failure.docUrl ?? null
    this.details = failure.details ?? {}
    this.issues = issuesIn(this.details.issues)
  }
}

interface Failure {
  code: string
  status: number
  requestId: string | null
  docUrl?: string | null | undefined
  details?: Record<string, unknown> | undefined
}

/** The error for a failed connection. */
export function unreachable(cause: unknown): ApiError {
  const failure = { code: 'unreachable', status: 0, requestId: null }
  return new ApiError('The service does not answer. Check the connection and try again.', failure, { cause })
}

/** The error for a response outside 2xx. A body without the API's error format comes from a proxy. */
export function failureOf(status: number, requestId: string | null, body: unknown): ApiError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined
  if (typeof error?.code !== 'string' || typeof error.message !== 'string')
    return new ApiError(`The answer cannot be read (status ${status}).`, { code: 'unreadable', status, requestId })
  const details = isRecord(error.details) ? error.details : undefined
  const named = typeof error.requestId === 'string' ? error.requestId : requestId
  const docUrl = typeof error.docUrl === 'string' ? error.docUrl : null
  return new ApiError(error.message, { code: error.code, status, requestId: named, docUrl, details })
}

/** The error for a response outside 2xx, whose body has not been read. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => undefined)
  return failureOf(response.status, response.headers.get('x-request-id'), body)
}

function issuesIn(value: unknown): Issue[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map(({ path, message }) => ({
    path: Array.isArray(path) ? path.filter((step) => typeof step === 'string' || typeof step === 'number') : [],
    message: String(message),
  }))
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
