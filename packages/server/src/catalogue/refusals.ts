/**
 * Every way in which the service says no: one table that feeds the responses, the OpenAPI document and the page
 * `/docs/errors`. A row is a kind of refusal; several kinds may share the `code` that clients match on.
 */
export const refusals = {
  validation_failed: {
    code: 'validation_failed',
    status: 400,
    title: 'The request is not valid',
    explanation:
      'A field of the body, a query parameter or a header breaks a rule. `details.issues` lists each one with its `path` and what the rule is. Nothing was saved.',
  },
  already_exists: {
    code: 'validation_failed',
    status: 409,
    title: 'The key or name is taken',
    explanation:
      'Another resource of the same project already has this key or name (archived flags keep theirs). `details.issues` names the field. Choose another one.',
  },
  organization_required: {
    code: 'organization_required',
    status: 400,
    title: 'Which organization?',
    explanation:
      'The holder of this personal token belongs to several organizations. Send the header `Svc-Org-Id` with the id or the numeric short id of the one that is meant.',
  },
  unauthorized: {
    code: 'unauthorized',
    status: 401,
    title: 'No valid credential',
    explanation:
      'Send `Authorization: Bearer <token>` with a service token (`svc_svc_…`) or a personal token (`svc_pat_…`). The one that was sent is missing, malformed or unknown.',
  },
  sign_in_failed: {
    code: 'sign_in_failed',
    status: 401,
    title: 'Not signed in',
    explanation:
      'The e-mail address and the password, or the code of the second factor, are not right. Nobody is told which, or whether there is such an account.',
  },
  token_expired: {
    code: 'token_expired',
    status: 401,
    title: 'The token has expired',
    explanation:
      'The token is past its expiry, or it is the previous secret of a rotated token past its grace period. Use the current secret or create a new token.',
  },
  token_revoked: {
    code: 'token_revoked',
    status: 401,
    title: 'The token was revoked',
    explanation: 'Somebody revoked this token. That cannot be undone; create a new one.',
  },
  scope_missing: {
    code: 'scope_missing',
    status: 403,
    title: 'The token lacks a scope',
    explanation:
      '`details.scope` names the scope that this call needs. Give it to the service token, or the capability behind it to the role of the personal token’s holder.',
  },
  role_missing: {
    code: 'role_missing',
    status: 403,
    title: 'Not with this role',
    explanation:
      'Service tokens and the organization’s settings are managed by its owners and administrators; ownership is given and taken by owners alone.',
  },
  cross_site: {
    code: 'cross_site',
    status: 403,
    title: 'Not from the dashboard',
    explanation:
      'A browser sent a write with the session’s cookie, but not from a page of this service (`Sec-Fetch-Site`, or `Origin` where there is none). Programs send a token instead.',
  },
  feature_disabled: {
    code: 'feature_disabled',
    status: 403,
    title: 'The feature is switched off',
    explanation:
      'The feature that `details.feature` names is switched off for the organization. To switch it on, add the name to `features` of the organization in the provisioning file (`SVC_BOOTSTRAP_FILE`), or leave `features` out, and start the service again.',
  },
  not_found: {
    code: 'not_found',
    status: 404,
    title: 'Nothing here',
    explanation:
      'The address or the resource does not exist, or it belongs to somebody else: the answer is the same, so that nobody learns of another organization’s resources.',
  },
  events_expired: {
    code: 'events_expired',
    status: 410,
    title: 'Events behind this number are gone',
    explanation:
      'Events are kept for `SVC_DELIVERY_RETENTION`, and some behind `after` are past it: the feed does not skip them silently. Read the present state of what you keep, then go on with `after` one less than `details.oldest`.',
  },
  method_not_allowed: {
    code: 'method_not_allowed',
    status: 405,
    title: 'The address exists, the method does not',
    explanation: 'The header `Allow` lists the methods that this address answers.',
  },
  invalid_state: {
    code: 'invalid_state',
    status: 409,
    title: 'Not in this state',
    explanation:
      'The resource is in a state that does not allow the change. `details` gives the `current` state, the `allowed` ones, or the `references` that are in the way.',
  },
  schedule_pending: {
    code: 'schedule_pending',
    status: 409,
    title: 'A run is scheduled',
    explanation:
      'The environment or rule is set to run by itself at `details.runAt`. Cancel that schedule first, or set it to the moment that is wanted. A pause is never refused.',
  },
  reassignment_unconfirmed: {
    code: 'reassignment_unconfirmed',
    status: 409,
    title: 'The change would move visitors to another variation',
    explanation:
      'Changing the weights, `bucketBy` or `salt` of a running A/B test reassigns visitors and spoils its results. Send `"confirmReassignment": true` if that is meant.',
  },
  idempotency_key_reused: {
    code: 'idempotency_key_reused',
    status: 422,
    title: 'The idempotency key belongs to another request',
    explanation:
      'The same `Idempotency-Key` came within 24 hours with another body. Use a new key for a new request, and the same body for a repeated one.',
  },
  idempotency_in_progress: {
    code: 'idempotency_in_progress',
    status: 409,
    title: 'The same request is still under way',
    explanation:
      'Another request with this `Idempotency-Key` has not been answered yet. Ask again after the seconds in `Retry-After`.',
  },
  precondition_failed: {
    code: 'precondition_failed',
    status: 412,
    title: 'Somebody else was faster',
    explanation:
      'The resource changed since the ETag in `X-Svc-If-Match` was read. `details.expected` holds the current one: read the resource again, then repeat the change.',
  },
  payload_too_large: {
    code: 'payload_too_large',
    status: 413,
    title: 'The body is too large',
    explanation: 'A request body may have up to 1 MiB, the members of a segment up to 8 MiB.',
  },
  unsupported_media_type: {
    code: 'unsupported_media_type',
    status: 415,
    title: 'The body is not JSON',
    explanation: 'Send the body as JSON in UTF-8 with `Content-Type: application/json`.',
  },
  rate_limited: {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    explanation:
      'The token has used up its requests of this minute, too many sign-ins were tried, or an SDK key has too many streams. `Retry-After` tells when to try again, `X-RateLimit-Reset` when the next minute begins.',
  },
  internal_error: {
    code: 'internal_error',
    status: 500,
    title: 'A fault of the service',
    explanation:
      'Something broke on our side; nothing was half-saved. Give the `requestId` to the operator: the log holds the cause under it.',
  },
  storage_full: {
    code: 'storage_full',
    status: 503,
    title: 'The storage is full',
    explanation:
      'The disk of the database is full. Reads and data files go on, nothing can be written, and `/readyz` answers 503. Nothing that was acknowledged is lost. The operator makes room, and the service goes on by itself.',
  },
  unavailable: {
    code: 'unavailable',
    status: 503,
    title: 'The service cannot answer now',
    explanation:
      'The database does not answer, this node is shutting down, or more people sign in or more streams are open at once than it can take. SDKs keep their last data file. Try again after the seconds in `Retry-After`.',
  },
} as const satisfies Record<string, { code: string; status: number; title: string; explanation: string }>

export type RefusalKind = keyof typeof refusals

/** Where a request breaks a rule: the path into the body (or the name of the query parameter) and the rule. */
export interface Issue {
  path: PropertyKey[]
  message: string
}

export interface RefusalDetails {
  issues?: Issue[]
  [key: string]: unknown
}

/** An expected no, as a value: what a decision or an action returns instead of its result. */
export interface Refusal {
  refusal: RefusalKind
  message: string
  details?: RefusalDetails
}

export function refuse(refusal: RefusalKind, message: string, details?: RefusalDetails): Refusal {
  return details ? { refusal, message, details } : { refusal, message }
}

/** A refusal of the request's content: the first issue's message is the error's message as well. */
export function invalid(...issues: [Issue, ...Issue[]]): Refusal {
  return refuse('validation_failed', issues[0].message, { issues })
}

/** All the rules that a decision found broken, or nothing to refuse. */
export function refuseIssues(issues: readonly Issue[]): Refusal | undefined {
  const [first, ...others] = issues
  return first && invalid(first, ...others)
}

export const notFound = (what: string): Refusal => refuse('not_found', `${what} not found.`)

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refusal' in value
}
