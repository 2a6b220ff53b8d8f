import { parseArgs } from 'node:util'
import { baseUrlOf } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { authors, systemActor } from '../platform/outbox.ts'
import { findAccountByEmail, recordOfPerson } from '../wings/people/accounts/index.ts'
import { createLink, linkUrl } from '../wings/people/links/index.ts'
import { withDatabase } from './existing-database.ts'

/** `svc-server reset-link` */
export async function printResetLink(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [email, ...more] = positionals
  if (email === undefined || more.length > 0)
    throw new Error('an e-mail address is required: svc-server reset-link <email>')
  await withDatabase(async ({ db }, config) => {
    const account = await findAccountByEmail(db, email)
    if (!account) throw new Error(`no account has the address ${email}.`)
    const by = authors([], systemClock)(systemActor('operator'))
    const { id: userId, name } = account
    const link = await db.transaction().execute(async (tx) => {
      const created = await createLink(tx, { kind: 'PASSWORD_RESET', userId, createdBy: by.actor.name, now: by.now })
      const object = { type: 'user', id: userId, name } as const
      const after = { expiresAt: created.expiresAt }
      await recordOfPerson(tx, by, userId, { action: 'user.password_reset_link', object, after })
      return created
    })
    process.stdout.write(`${linkUrl(baseUrlOf(config), 'PASSWORD_RESET', link.secret)}\n`)
    process.stderr.write(`It works once, until ${link.expiresAt?.toISOString()}. Give it only to this person.\n`)
  })
}
