export const unavailableCode = 'SVC_DATABASE_UNAVAILABLE'

/** An error that `isUnavailable` recognizes. */
export const unavailable = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code: unavailableCode })

/**
 * Whether the database cannot be reached, is shutting down, has lost the connection, is out of disk space, memory or
 * connections, or exceeded a time limit. The API answers these with 503, because a later attempt can succeed.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code !== undefined) return unavailableCodes.has(code) || unavailableClasses.has(code.slice(0, 2))
  return unavailableMessages.test(error.message)
}

/**
 * Whether the same statement can succeed when it is sent again: the database is unavailable, it ended a transaction to
 * let others go on (a deadlock, a conflict, a lock that others held), or what a row refers to was deleted meanwhile.
 * For calls that are repeated as they are, such as those of SDKs.
 */
export function canSucceedLater(error: unknown): boolean {
  if (isUnavailable(error)) return true
  const code = codeOf(error) ?? ''
  return code.startsWith('40') || code === lockNotAvailable || code === foreignKeyViolation
}

/** Whether the database ended a whole transaction so that another could go on. Nothing of it was kept. */
export const hadToYield = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '')

const lockNotAvailable = '55P03'
const foreignKeyViolation = '23503'

/**
 * Whether the server is there but has no connection yet: none was ready in time, all are taken, or it is starting or
 * stopping. A longer wait can succeed. Where nothing listens or the name is unknown, a setting is probably wrong.
 */
export function isNotReady(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return notReadyCodes.has(code)
  return error instanceof Error && notReadyMessages.test(error.message)
}

const notReadyCodes = new Set(['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN'])
const notReadyMessages = /^(Connection terminated|timeout expired|timeout exceeded when trying to connect)/

/** Whether a server has no room on its disk. When the pool gave up the connection, the server's error is in `cause`. */
export const saysDiskFull = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === '53100' || saysDiskFull(error.cause))

/** The name of the violated unique, check, foreign key or exclusion constraint. */
export function constraintOf(error: unknown): string | undefined {
  if (!(error instanceof Error && codeOf(error)?.startsWith('23'))) return undefined
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
}

/** The code of an error: the SQLSTATE of one of the database, or that of the system. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Whether a statement was stopped at its time limit. The same work in smaller parts can succeed. */
export const tookTooLong = (error: unknown): boolean => codeOf(error) === '57014'

// SQLSTATE classes: connection exceptions; insufficient resources.
const unavailableClasses = new Set(['08', '53'])

const unavailableCodes = new Set([
  unavailableCode,
  '25006', // read-only: the server became a standby
  '25P03', // idle in a transaction for too long
  '57014', // see `tookTooLong`
  '57P01', // administrator's shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
  '57P05', // idle session timeout
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

// pg and Kysely throw these as plain errors without a code.
const unavailableMessages =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end|Postgres connection has been discarded|driver has already been destroyed)/
