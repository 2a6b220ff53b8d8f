import type { ActionOn } from '../../../catalogue/actions.ts'
import { invalid, isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { builtInRoles } from '../../../catalogue/scopes.ts'
import type { AttemptLimits } from '../../../http/limits/attempt-limit.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author, OrganizationChange } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { TooBusy } from '../../../turns.ts'
import { insertOrganization } from '../organizations/index.ts'
import { insertRoleUnlessNamed } from '../roles/index.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { findAccount, lockAccount, organizationsOfPerson, updatePersonName } from './queries.ts'

/** Creates an organization with the built-in roles and returns its id. */
export async function createOrganization(
  tx: Tx,
  organization: { name: string; features: readonly string[]; notifications: object | null },
  now: Date,
): Promise<string> {
  const id = newId()
  await insertOrganization(tx, { id, ...organization, now })
  for (const [role, capabilities] of Object.entries(builtInRoles))
    await insertRoleUnlessNamed(tx, { id: newId(), orgId: id, name: role, builtIn: true, capabilities, now })
  return id
}

type PersonalAction = ActionOn<'user' | 'session' | 'personal_token'>

/** A change of a person is recorded in every organization of that person. */
export async function recordOfPerson<A extends PersonalAction>(
  tx: Tx,
  by: Author,
  userId: string,
  change: Pick<OrganizationChange<A>, 'action' | 'object' | 'before' | 'after'>,
): Promise<void> {
  for (const orgId of await organizationsOfPerson(tx, userId))
    await by.record(tx, { ...change, orgId, projectId: null })
}

export function rename(db: Db, userId: string, name: string, by: Author): Promise<null | Refusal> {
  return inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account) return refuse('unauthorized', 'This account no longer exists.')
    if (account.name === name) return null
    await updatePersonName(tx, userId, name, by.now)
    const object = { type: 'user', id: userId, name } as const
    await recordOfPerson(tx, by, userId, {
      action: 'user.update',
      object,
      before: { name: account.name },
      after: { name },
    })
    return null
  })
}

/** Whether the password is right, or a refusal if it cannot be checked now. */
export async function checkPassword(password: string, stored: string | null): Promise<boolean | Refusal> {
  try {
    return await verifyPassword(password, stored)
  } catch (error) {
    if (error instanceof TooBusy) return tooManySignIns()
    throw error
  }
}

/**
 * The stored form of the password, if the signed-in person has given the right one. Attempts are counted like sign-ins.
 */
export async function proveOwnPassword(
  { db, attempts }: { db: Db; attempts: AttemptLimits },
  { id, email }: { id: string; email: string },
  given: { field: string; password: string },
): Promise<string | Refusal> {
  const exceeded = await attempts.take('password', email)
  if (exceeded) return exceeded
  const stored = (await findAccount(db, id))?.passwordHash ?? null
  const isRight = await checkPassword(given.password, stored)
  if (isRefusal(isRight)) return isRight
  if (!isRight || stored === null) return invalid({ path: [given.field], message: 'The password is wrong.' })
  await attempts.forgive('password', email)
  return stored
}

/** The stored form of a new password, or a refusal if it cannot be computed now. */
export async function sealPassword(password: string): Promise<string | Refusal> {
  try {
    return await hashPassword(password)
  } catch (error) {
    if (error instanceof TooBusy) return tooManySignIns()
    throw error
  }
}

const tooManySignIns = () => refuse('unavailable', 'Too many people are signing in. Try again shortly.')
