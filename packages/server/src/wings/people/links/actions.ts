import { sql } from 'kysely'
import { notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { hasOwner, limits } from '../accounts/index.ts'
import { hashOfLink, type LinkKind, newLinkSecret } from './link.ts'
import {
  deleteOwnerLinks,
  findOpenLink,
  hasOpenOwnerLink,
  insertLink,
  type NewLinkRow,
  type OpenLink,
  replaceLink,
  type TakenLink,
  takeOpenLink,
} from './queries.ts'

type MadeHere = 'id' | 'secretHash' | 'expiresAt'
type WithoutMade<Row> = Row extends unknown ? Omit<Row, MadeHere> : never

export type NewLink = WithoutMade<NewLinkRow>

export interface CreatedLink {
  id: string
  /** Cannot be read again: the database has only its hash. */
  secret: string
  expiresAt: Date | null
}

export async function createLink(tx: Tx, link: NewLink): Promise<CreatedLink> {
  const id = newId()
  const secret = newLinkSecret()
  const expiresAt = new Date(link.now.getTime() + (link.kind === 'OWNER' ? limits.ownerLinkMs : limits.link[link.kind]))
  await insertLink(tx, { ...link, id, secretHash: hashOfLink(secret)!, expiresAt })
  return { id, secret, expiresAt }
}

/** A new secret and expiry for the link. The previous secret stops working. */
export async function renewLink(
  tx: Tx,
  { id, kind, createdBy, now }: { id: string; kind: keyof typeof limits.link; createdBy: string; now: Date },
): Promise<CreatedLink> {
  const secret = newLinkSecret()
  const expiresAt = new Date(now.getTime() + limits.link[kind])
  await replaceLink(tx, { id, secretHash: hashOfLink(secret)!, createdBy, now, expiresAt })
  return { id, secret, expiresAt }
}

/** The same answer for unknown, used and expired links. */
const noSuchLink = (): Refusal => notFound('Link')

/** Returns the purpose of an open link without changing anything. */
export async function checkLink(db: Db, secret: string, now: Date): Promise<OpenLink | Refusal> {
  const secretHash = hashOfLink(secret)
  const link = secretHash ? await findOpenLink(db, secretHash, now) : undefined
  if (!link || (link.kind === 'OWNER' && (await hasOwner(db)))) return noSuchLink()
  return link
}

/** Whether the owner has yet to be created: there is an open link for it, and no owner from a different source. */
export const isSetupOpen = async (db: Db): Promise<boolean> => (await hasOpenOwnerLink(db)) && !(await hasOwner(db))

/** Marks a link as used. A later refusal in the same transaction undoes this. */
export async function takeLink(tx: Tx, secret: string, kind: LinkKind, now: Date): Promise<TakenLink | Refusal> {
  const secretHash = hashOfLink(secret)
  return (secretHash && (await takeOpenLink(tx, { secretHash, kind, now }))) ?? noSuchLink()
}

const ownerLockKey = 7_362_002

/** Serializes creating the first owner and printing the link for it, across all nodes. */
export async function lockOwnership(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ownerLockKey})`.execute(tx)
}

/**
 * A new link for the owner; undefined if there is an owner. It ends earlier ones, but not those of nodes that start
 * together: their logs do not show which link came last.
 */
export async function renewOwnerLink(db: Db, now: Date): Promise<CreatedLink | undefined> {
  const created = await inTransaction(db, async (tx) => {
    await lockOwnership(tx)
    await deleteOwnerLinks(tx, new Date(now.getTime() - limits.startTogetherMs))
    if (await hasOwner(tx)) return { link: undefined }
    return { link: await createLink(tx, { kind: 'OWNER', createdBy: 'first start', now }) }
  })
  return 'link' in created ? created.link : undefined
}
