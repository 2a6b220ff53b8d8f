/**
 * Every kind of refusal. The responses, the OpenAPI document and the page `/docs/errors` come from this table. Several
 * kinds can share the `code` that clients match on.
 */
export const refusals = {
  validation_failed: {
    code: 'validation_failed',
    status: 400,
    title: 'The request is not valid',
    explanation:
      'A field of the body, a query parameter or a header is not valid. The message names the first one and counts the others; `details.issues` lists each with its `path` and a sentence that says what to send. Nothing was saved.',
  },
  already_exists: {
    code: 'validation_failed',
    status: 409,
    title: 'The key or name is taken',
    explanation:
      'A resource of the same project already has this key or name (archived flags keep theirs). `details.reason` is `already_exists`, and `details.issues` names the field. Choose a different one.',
  },
  organization_required: {
    code: 'organization_required',
    status: 400,
    title: 'The organization is missing',
    explanation:
      'The holder of this personal token belongs to several organizations. Send the header `Svc-Org-Id` with the id or the numeric short id of one of them.',
  },
  unauthorized: {
    code: 'unauthorized',
    status: 401,
    title: 'No valid credential',
    explanation:
      'Send `Authorization: Bearer <token>` with a service token (`svc_svc_…`) or a personal token (`svc_pat_…`). The token of this request is missing, malformed or unknown.',
  },
  sign_in_failed: {
    code: 'sign_in_failed',
    status: 401,
    title: 'Sign-in failed',
    explanation:
      'The e-mail address, the password or the code of the second factor is wrong. For safety, the answer does not say which, or whether the account exists.',
  },
  token_expired: {
    code: 'token_expired',
    status: 401,
    title: 'The token has expired',
    explanation:
      'The token has expired, or it is the previous secret of a rotated token whose grace period has ended. Use the current secret or create a new token.',
  },
  token_revoked: {
    code: 'token_revoked',
    status: 401,
    title: 'The token was revoked',
    explanation: 'This token was revoked. This cannot be undone. Create a new token.',
  },
  scope_missing: {
    code: 'scope_missing',
    status: 403,
    title: 'A scope is missing',
    explanation:
      '`details.scope` names the scope that this call requires. For a service token, create one with this scope. For a person or a personal token, add a capability that includes the scope to the person’s role.',
  },
  capability_missing: {
    code: 'capability_missing',
    status: 403,
    title: 'A capability is missing',
    explanation:
      '`details.capability` names the capability that this call requires besides its scope. Ask an administrator to add it to your role. A service token has no role, so its scope is enough.',
  },
  role_missing: {
    code: 'role_missing',
    status: 403,
    title: 'Your role does not allow this',
    explanation:
      'Only owners and administrators can manage service tokens and the settings of the organization. Only owners can make someone an owner, and change or remove an owner.',
  },
  cross_site: {
    code: 'cross_site',
    status: 403,
    title: 'The request does not come from the dashboard',
    explanation:
      'A browser sent a write with the session cookie, but not from a page of this service (according to `Sec-Fetch-Site`, or to `Origin` if that is missing). Programs must send a token instead.',
  },
  feature_disabled: {
    code: 'feature_disabled',
    status: 403,
    title: 'The feature is switched off',
    explanation:
      'The feature that `details.feature` names is switched off for the organization. The operator of the service can turn it on with `npx svc-server organizations enable <organization> <feature>`.',
  },
  not_found: {
    code: 'not_found',
    status: 404,
    title: 'Not found',
    explanation:
      'The address or the resource does not exist, or you cannot see it. The answer is the same in both cases, so that it reveals nothing about other organizations. The message names the first part of the address that does not exist, and others of its kind if you can list them.',
  },
  events_expired: {
    code: 'events_expired',
    status: 410,
    title: 'Events after this number are gone',
    explanation:
      'Events are kept for `SVC_DELIVERY_RETENTION`, and some events after `after` have already been deleted. Read the current state of the resources you track, then continue with `after` set to one less than `details.oldest`.',
  },
  method_not_allowed: {
    code: 'method_not_allowed',
    status: 405,
    title: 'The method is not allowed',
    explanation: 'The address exists, but not with this method. The header `Allow` lists the methods that it accepts.',
  },
  invalid_state: {
    code: 'invalid_state',
    status: 409,
    title: 'The state does not allow this',
    explanation:
      'The current state of the resource does not allow the change. `details` gives the `current` state, the `allowed` states, or the `references` that prevent the change.',
  },
  catalog_busy: {
    code: 'invalid_state',
    status: 409,
    title: 'A job is writing the catalog',
    explanation:
      'One writer at a time makes a revision of the catalog, and a sync or an import is at it. `details.references` names the job. Try again after the number of seconds in `Retry-After`.',
  },
  schedule_pending: {
    code: 'schedule_pending',
    status: 409,
    title: 'A run is scheduled',
    explanation:
      'The environment or rule has a schedule that runs it at `details.runAt`. Cancel the schedule first, or change its time. Pausing is always possible.',
  },
  reassignment_unconfirmed: {
    code: 'reassignment_unconfirmed',
    status: 409,
    title: 'The change would move visitors to a different variation',
    explanation:
      'Changing the weights, `bucketBy` or `salt` of a running A/B test reassigns visitors and spoils its results. To do it anyway, send `"confirmReassignment": true`. `details.visitors` says about how many of the visitors that the last snapshot of results counted would move; null without a snapshot.',
  },
  idempotency_key_reused: {
    code: 'idempotency_key_reused',
    status: 422,
    title: 'The idempotency key was used for a different request',
    explanation:
      'The same `Idempotency-Key` was used within the last 24 hours with a different body. Use a new key for a new request, and send the same body when you repeat a request.',
  },
  idempotency_in_progress: {
    code: 'idempotency_in_progress',
    status: 409,
    title: 'The same request is still in progress',
    explanation:
      'An earlier request with this `Idempotency-Key` has not been answered yet. Try again after the number of seconds in `Retry-After`.',
  },
  precondition_failed: {
    code: 'precondition_failed',
    status: 412,
    title: 'The resource has changed',
    explanation:
      'The resource has changed since you read the ETag that you sent in `X-Svc-If-Match`. `details.expected` is the current ETag. Read the resource again, then repeat the change.',
  },
  payload_too_large: {
    code: 'payload_too_large',
    status: 413,
    title: 'The body is too large',
    explanation:
      'A request body can have up to 1 MiB, the members of a segment and a batch of items up to 8 MiB, a file of products up to 1 GiB.',
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
      'The token has used up its requests for this minute, there were too many attempts to sign in, or an SDK key has too many open streams. `Retry-After` says when to try again, and `X-RateLimit-Reset` when the next minute begins.',
  },
  internal_error: {
    code: 'internal_error',
    status: 500,
    title: 'Internal error',
    explanation:
      'The service failed. Nothing was saved in part. Give the `requestId` to the operator, who finds the cause in the log under this id.',
  },
  storage_full: {
    code: 'storage_full',
    status: 503,
    title: 'The storage is full',
    explanation:
      'The disk of the database is full. Reads and data files still work, nothing can be written, and `/readyz` answers 503. Every confirmed write is kept. Once the operator frees disk space, the service recovers by itself.',
  },
  unavailable: {
    code: 'unavailable',
    status: 503,
    title: 'The service cannot answer now',
    explanation:
      'The database does not answer, this node is shutting down, or it has too many sign-ins or open streams at once. SDKs keep their last data file. Try again after the number of seconds in `Retry-After`.',
  },
} as const satisfies Record<string, { code: string; status: number; title: string; explanation: string }>

export type RefusalKind = keyof typeof refusals

/** Where a request breaks a rule: the path into the body (or the name of the query parameter), and the rule. */
export interface Issue {
  path: PropertyKey[]
  message: string
}

export interface RefusalDetails {
  issues?: Issue[]
  [key: string]: unknown
}

/** An expected "no" as a value. A decision or an action returns it instead of its result. */
export interface Refusal {
  refusal: RefusalKind
  message: string
  details?: RefusalDetails
}

export function refuse(refusal: RefusalKind, message: string, details?: RefusalDetails): Refusal {
  return details ? { refusal, message, details } : { refusal, message }
}

/** A refusal of the request's content. `http/errors.ts` makes sentences of the issues, and its message of the first. */
export function invalid(...issues: [Issue, ...Issue[]]): Refusal {
  return refuse('validation_failed', issues[0].message, { issues })
}

/** A refusal with all issues, or undefined if there are none. */
export function refuseIssues(issues: readonly Issue[]): Refusal | undefined {
  const [first, ...others] = issues
  return first && invalid(first, ...others)
}

const namedAtMost = 10

/** A refusal of a list that names missing things. `nothing` begins the message, as in "This project has no flag". */
export function refuseUnknown(field: string, nothing: string, unknown: readonly string[]): Refusal {
  const others = unknown.length - namedAtMost
  const named = unknown.slice(0, namedAtMost).join(', ')
  const message = `${nothing} ${named}${others > 0 ? ` (and ${others} more)` : ''}.`
  return refuse('validation_failed', message, { issues: [{ path: [field], message }], unknown })
}

export const notFound = (what: string): Refusal => refuse('not_found', `${what} not found.`)

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refusal' in value
}
