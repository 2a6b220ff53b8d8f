import type { Db } from '../../../platform/db/index.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { type Author, type Authors, systemActor } from '../../../platform/outbox.ts'
import { type Recurring, recurring } from '../../../platform/recurring.ts'
import { type WriteBehind, writeBehind } from '../../../platform/write-behind.ts'
import { administratorsOf } from '../accounts/index.ts'
import { expiryMail } from './expiry-mail.ts'
import { claimWarning, type ExpiringToken, listUnwarned, saveUses, type TokenUse } from './queries.ts'

/** The last use of each token. */
export interface LastUses extends Pick<WriteBehind<TokenUse>, 'flush' | 'stop'> {
  note(use: TokenUse): void
}

export function lastUses(db: Db, onError: (error: unknown) => void): LastUses {
  const { note, flush, stop } = writeBehind<TokenUse>((uses) => saveUses(db, uses), onError)
  return { note: (use) => note(use.secretHash, use), flush, stop }
}

const warningIntervalMs = 10 * 60_000
const maxWarnedAtOnce = 100

/** Warns about expiring service tokens, once for each token, on any number of nodes. */
export interface ExpiryWarnings extends Recurring {
  /** Sends every due warning. This happens at the start and every ten minutes. */
  run(): Promise<void>
}

interface WarningContext {
  db: Db
  authorOf: Authors
  now: () => Date
  /** Null if the service sends no mail. */
  mailer: Mailer | null
  baseUrl: string
  onError: (error: unknown) => void
}

export function expiryWarnings({ db, authorOf, now, mailer, baseUrl, onError }: WarningContext): ExpiryWarnings {
  const run = async () => {
    for (const tokenId of await listUnwarned(db, now(), maxWarnedAtOnce)) await warn(tokenId).catch(onError)
  }
  const warn = async (tokenId: string) => {
    const token = await recordWarning(db, authorOf(systemActor('token expiry')), tokenId)
    if (!token || !mailer) return
    const { name, expiresAt } = token
    for (const { email: to, organization } of await administratorsOf(db, token.orgId))
      mailer.post(expiryMail({ to, organization, token: name, expiresAt, baseUrl }))
  }
  return { ...recurring(run, warningIntervalMs, onError), run }
}

/** Records the warning: an audit entry of the organization and an event in each of its projects. */
function recordWarning(db: Db, by: Author, tokenId: string): Promise<ExpiringToken | undefined> {
  return db.transaction().execute(async (tx) => {
    const token = await claimWarning(tx, tokenId, by.now)
    if (!token) return undefined
    const { id, orgId, name, expiresAt } = token
    await by.record(tx, {
      orgId,
      projectId: null,
      action: 'service_token.warn',
      object: { type: 'service_token', id, name },
      after: { expiresAt },
      inEachProject: { name: 'token.expiring', payload: { token: { id, name, expiresAt: expiresAt.toISOString() } } },
    })
    return token
  })
}
