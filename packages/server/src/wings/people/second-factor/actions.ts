import type { ActionOn } from '../../../catalogue/actions.ts'
import { invalid, isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { AttemptLimits } from '../../../http/limits/attempt-limit.ts'
import type { Person } from '../../../http/person-route.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { Readability, Seal } from '../../../platform/seal.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import {
  type Account,
  type AccountChange,
  clearFactor,
  confirmFactor,
  lockAccount,
  proveOwnPassword,
  recordOfPerson,
  setFactor,
  useStep,
} from '../accounts/index.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  findFactor,
  insertRecoveryCodes,
  sealedFactors,
  useRecoveryCode,
} from './queries.ts'
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

/** Gives the current session a new id and secret. */
export type RenewSession = (tx: Tx, sessionId: string) => Promise<NextSession | Refusal>

interface NextSession {
  secret: string
  expiresAt: Date
}

export interface SecondFactorContext {
  db: Db
  seal: Seal
  attempts: AttemptLimits
  renewSession: RenewSession
  /** Notifies the person after the change is committed. */
  notify: (email: string, change: AccountChange) => void
  /** The name of the service in authenticator apps. */
  issuer: string
}

export type Proof = { code: string } | { recoveryCode: string }

export interface Proved {
  method: 'TOTP' | 'RECOVERY_CODE'
  recoveryCodesLeft: number
}

const contextOf = (userId: string): string => `totp ${userId}`

/** Uses up a code; undefined if it is not right. The caller must hold the account's lock. */
export async function proveSecondFactor(
  tx: Tx,
  seal: Seal,
  { userId, proof, now }: { userId: string; proof: Proof; now: Date },
): Promise<Proved | undefined> {
  const isRight =
    'code' in proof
      ? await useCode(tx, seal, { userId, code: proof.code, now })
      : await useRecoveryCode(tx, userId, hashOfRecoveryCode(proof.recoveryCode), now)
  if (!isRight) return undefined
  const method = 'code' in proof ? 'TOTP' : 'RECOVERY_CODE'
  return { method, recoveryCodesLeft: await countRecoveryCodes(tx, userId) }
}

/** How many of the newest second factors are sealed, and how many of them this key cannot open. */
export async function unreadableFactors(db: Db, seal: Seal, limit: number): Promise<Readability> {
  const factors = await sealedFactors(db, limit)
  const unreadable = factors.filter(({ userId, sealed }) => !seal.opens(sealed, contextOf(userId)))
  return { sealed: factors.length, unreadable: unreadable.length }
}

async function useCode(tx: Tx, seal: Seal, { userId, code, now }: { userId: string; code: string; now: Date }) {
  const factor = await findFactor(tx, userId)
  if (!factor?.sealed) return false
  const secret = seal.open(factor.sealed, contextOf(userId))
  const step = stepOfCode(secret, code, { now, lastStep: factor.lastStep })
  return step !== undefined && (await useStep(tx, userId, step))
}

/** Creates a secret for an authenticator app. It has no effect until a first code confirms it. */
export function beginSecondFactor(
  { db, seal, issuer }: SecondFactorContext,
  { user }: Person,
  now: Date,
): Promise<{ secret: string; uri: string } | Refusal> {
  return inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, user.id)
    if (account?.secondFactor) return alreadyOn()
    const secret = newTotpSecret()
    await setFactor(tx, user.id, seal.seal(secret, contextOf(user.id)), now)
    return { secret, uri: totpUri(secret, user.email, issuer) }
  })
}

export async function confirmSecondFactor(
  context: SecondFactorContext,
  person: Person,
  code: string,
  by: Author,
): Promise<{ recoveryCodes: string[]; session: NextSession } | Refusal> {
  const confirmed = await withAccount(context, person, async (tx, account) => {
    if (account.secondFactor) return alreadyOn()
    if (!(await proveSecondFactor(tx, context.seal, { userId: account.id, proof: { code }, now: by.now })))
      return wrongCode()
    await confirmFactor(tx, account.id, by.now)
    const recoveryCodes = await replaceRecoveryCodes(tx, account.id)
    const session = await context.renewSession(tx, person.id)
    if (isRefusal(session)) return session
    await record(tx, by, account, 'user.second_factor_enable')
    return { recoveryCodes, session }
  })
  if (!isRefusal(confirmed)) context.notify(person.user.email, 'SECOND_FACTOR_ENABLED')
  return confirmed
}

/** Requires the password or a code, so that an unattended browser is not enough to turn off the second factor. */
export async function disableSecondFactor(
  context: SecondFactorContext,
  person: Person,
  proof: { password: string } | { code: string },
  by: Author,
): Promise<NextSession | Refusal> {
  const passwordHash =
    'password' in proof ? await proveOwnPassword(context, person.user, { ...proof, field: 'password' }) : undefined
  if (isRefusal(passwordHash)) return passwordHash
  const session = await withAccount(context, person, async (tx, account) => {
    if (!account.secondFactor) return notOn()
    const isProved =
      'password' in proof
        ? account.passwordHash === passwordHash
        : await proveSecondFactor(tx, context.seal, { userId: account.id, proof, now: by.now })
    if (!isProved) return wrongCode()
    await clearFactor(tx, account.id, by.now)
    await deleteRecoveryCodes(tx, account.id)
    await record(tx, by, account, 'user.second_factor_disable')
    return context.renewSession(tx, person.id)
  })
  if (!isRefusal(session)) context.notify(person.user.email, 'SECOND_FACTOR_DISABLED')
  return session
}

/** Creates new recovery codes and deletes the old ones. */
export function renewRecoveryCodes(
  context: SecondFactorContext,
  person: Person,
  code: string,
  by: Author,
): Promise<{ recoveryCodes: string[] } | Refusal> {
  return withAccount(context, person, async (tx, account) => {
    if (!account.secondFactor) return notOn()
    if (!(await proveSecondFactor(tx, context.seal, { userId: account.id, proof: { code }, now: by.now })))
      return wrongCode()
    const recoveryCodes = await replaceRecoveryCodes(tx, account.id)
    await record(tx, by, account, 'user.recovery_codes_renew')
    return { recoveryCodes }
  })
}

/** One attempt in one transaction under the account's lock. Attempts are counted by account. */
async function withAccount<Result>(
  { db, attempts }: SecondFactorContext,
  { user }: Person,
  work: (tx: Tx, account: Account) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const exceeded = await attempts.take('code', user.id)
  if (exceeded) return exceeded
  const result = await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, user.id)
    return account ? work(tx, account) : refuse('unauthorized', 'This account no longer exists.')
  })
  if (!isRefusal(result)) await attempts.forgive('code', user.id)
  return result
}

async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, userId)
  await insertRecoveryCodes(tx, userId, codes.map(hashOfRecoveryCode))
  return codes
}

const record = (tx: Tx, by: Author, { id, name }: Account, action: ActionOn<'user'>): Promise<void> =>
  recordOfPerson(tx, by, id, { action, object: { type: 'user', id, name } })

const alreadyOn = () => refuse('invalid_state', 'A second factor is already on. Turn it off first.', { current: 'ON' })
const notOn = () => refuse('invalid_state', 'This account has no second factor.', { current: 'OFF' })
const wrongCode = () => invalid({ path: ['code'], message: 'The code is wrong, or it was used before.' })
