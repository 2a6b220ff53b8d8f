import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { AttemptLimits } from '../../../http/limits/attempt-limit.ts'
import type { Person } from '../../../http/person-route.ts'
import { constraintOf, type Db, type Log } from '../../../platform/db/index.ts'
import type { Mailer } from '../../../platform/mail.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { Seal } from '../../../platform/seal.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import {
  findAccount,
  findUserByEmail,
  lockAccount,
  proveOwnPassword,
  recordOfPerson,
  updateEmail,
} from '../accounts/index.ts'
import { checkLink, createLink, deleteAccountLinks, deleteEmailLinks, linkUrl, takeLink } from '../links/index.ts'
import { proveSecondFactor } from '../second-factor/index.ts'
import type { AuthorAs } from '../sessions/index.ts'
import { changeNotice, confirmationMail, requestNotice } from './mails.ts'

export interface EmailChangeContext {
  db: Db
  seal: Seal
  attempts: AttemptLimits
  /** Null if the service sends no mail. */
  mailer: Mailer | null
  baseUrl: string
  log: Log
}

export type Proof = { currentPassword: string } | { code: string }

/**
 * Creates the link that confirms the new address, which replaces an earlier one. Whether a different account has the
 * address is not said here, because anyone who is signed in could find out addresses.
 */
export async function requestEmailChange(
  context: EmailChangeContext,
  { user }: Person,
  { email: wanted, ...proof }: { email: string } & Proof,
  by: Author,
): Promise<null | Refusal> {
  const { db, attempts, seal } = context
  const email = wanted.toLowerCase()
  const exceeded =
    (await attempts.take('email', user.id)) ?? ('code' in proof && (await attempts.take('code', user.id)))
  if (exceeded) return exceeded
  const passwordHash =
    'currentPassword' in proof
      ? await proveOwnPassword(context, user, { field: 'currentPassword', password: proof.currentPassword })
      : undefined
  if (isRefusal(passwordHash)) return passwordHash
  const requested = await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, user.id)
    if (!account) return refuse('unauthorized', 'This account no longer exists.')
    const isProved =
      'code' in proof
        ? account.secondFactor && (await proveSecondFactor(tx, seal, { userId: user.id, proof, now: by.now }))
        : account.passwordHash === passwordHash
    if (!isProved) return invalid({ path: ['code'], message: 'The code is wrong, or it was used before.' })
    if (account.email === email)
      return invalid({ path: ['email'], message: 'This is already the address of your account.' })
    await deleteEmailLinks(tx, user.id)
    const link = await createLink(tx, {
      kind: 'EMAIL_CHANGE',
      userId: user.id,
      email,
      createdBy: account.name,
      now: by.now,
    })
    const object = { type: 'user', id: user.id, name: account.name } as const
    await recordOfPerson(tx, by, user.id, { action: 'user.email_change_request', object, after: { email } })
    return {
      former: account.email,
      link: linkUrl(context.baseUrl, 'EMAIL_CHANGE', link.secret),
      expiresAt: link.expiresAt!,
    }
  })
  if (isRefusal(requested)) return requested
  if ('code' in proof) await attempts.forgive('code', user.id)
  tellOfRequest(context, email, requested)
  return null
}

function tellOfRequest(
  { mailer, baseUrl, log }: EmailChangeContext,
  email: string,
  requested: { former: string; link: string; expiresAt: Date },
): void {
  if (!mailer)
    return log.warn(
      { link: requested.link },
      'the service sends no mail: give this link to the person who requested a new e-mail address (it works once)',
    )
  mailer.post(confirmationMail(email, requested))
  mailer.post(requestNotice(requested.former, { email, baseUrl }))
}

/** Lets the holder of the link confirm the address. Sessions continue. Links to the old address end. */
export async function confirmEmailChange(
  { db, mailer }: EmailChangeContext,
  link: string,
  authorAs: AuthorAs,
  now: Date,
): Promise<{ email: string } | Refusal> {
  const open = await checkLink(db, link, now)
  if (isRefusal(open)) return open
  const person = open.kind === 'EMAIL_CHANGE' && open.userId ? await findAccount(db, open.userId) : undefined
  if (!person) return notFound('Link')
  const by = authorAs(person)
  try {
    const changed = await inTransaction(db, async (tx) => {
      const account = await lockAccount(tx, person.id)
      const taken = await takeLink(tx, link, 'EMAIL_CHANGE', by.now)
      if (isRefusal(taken)) return taken
      const email = taken.email!
      if (!account) return notFound('Link')
      if (await findUserByEmail(tx, email)) return addressTaken()
      await updateEmail(tx, account.id, email, by.now)
      await deleteAccountLinks(tx, account.id)
      const { id, name, email: former } = account
      const object = { type: 'user', id, name } as const
      const values = { before: { email: former }, after: { email } }
      await recordOfPerson(tx, by, id, { action: 'user.email_change', object, ...values })
      return { email, former }
    })
    if (isRefusal(changed)) return changed
    mailer?.post(changeNotice(changed.former, changed))
    return { email: changed.email }
  } catch (error) {
    // A different account got the address at the same time.
    if (constraintOf(error) === 'users_email_key') return addressTaken()
    throw error
  }
}

const addressTaken = (): Refusal => {
  const message = 'A different account has this e-mail address. Ask for a different address.'
  return refuse('already_exists', message, { issues: [{ path: ['email'], message }] })
}
