import { isDeepStrictEqual } from 'node:util'
import { isSafetyEvent } from '../../../catalogue/events.ts'
import { isRefusal, notFound, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import {
  type Author,
  type Authors,
  type RecordedEvent,
  type Subscriber,
  systemActor,
} from '../../../platform/outbox.ts'
import type { Seal } from '../../../platform/seal.ts'
import type { Signers } from '../../../platform/sign.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { deleteWaiting, fanOut } from '../deliveries/index.ts'
import { everySafetyEvent, insertSecret } from '../destinations/index.ts'
import { removeAddress } from '../integrations/index.ts'
import { destinationIn, subjectOf } from './link.ts'
import {
  administratorsWithoutMail,
  deleteOwnMail,
  findMailing,
  insertDefault,
  lockOwnMail,
  type Mailing,
  type NewOwnMail,
  type OwnEvents,
  projectsWithMail,
  saveOwnMail,
} from './queries.ts'
import type { NewSubscription } from './schema.ts'

export interface Hearer {
  orgId: string
  user: { id: string; name: string }
  /** The projects that the person sees. Null means all. */
  seen: readonly string[] | null
}

type Choice = Pick<NewSubscription, 'projectId' | 'events' | 'digest'>

/** Replaces what a person chose to hear by mail. Omitted projects get the default of the role again. */
export async function saveSubscriptions(
  tx: Tx,
  seal: Seal,
  by: Author,
  { orgId, user, seen }: Hearer,
  wanted: readonly NewSubscription[],
): Promise<null | Refusal> {
  const person = { orgId, userId: user.id }
  const rows = await lockOwnMail(tx, person)
  const known = new Set((await projectsWithMail(tx, person, seen)).map(({ project }) => project.id))
  const refusal = refusesProjects(wanted, known)
  if (refusal) return refusal
  const before = sorted(rows.filter(({ isChosen }) => isChosen))
  const after = sorted(wanted)
  if (isDeepStrictEqual(before, after) && rows.every(({ enabled }) => enabled)) return null
  // Before the rows, as every change that could make one of them does.
  await recordChoice(tx, by, { orgId, user }, { before: { subscriptions: before }, after: { subscriptions: after } })
  const named = new Set(wanted.map(({ projectId }) => projectId))
  // Also those that were made for a default and stopped: the next safety event makes them again.
  const over = rows.filter(({ projectId, isChosen, enabled }) => !named.has(projectId) && (isChosen || !enabled))
  await deleteOwnMail(
    tx,
    over.map(({ id }) => id),
  )
  for (const each of wanted) await choose(tx, seal, by.now, person, each)
  return null
}

function refusesProjects(wanted: readonly NewSubscription[], known: ReadonlySet<string>): Refusal | undefined {
  const ids = wanted.map(({ projectId }) => projectId)
  return refuseIssues(
    ids.flatMap((id, index) => {
      const path = ['subscriptions', index, 'projectId']
      if (!known.has(id)) return [{ path, message: `There is no project ${id}.` }]
      return ids.indexOf(id) < index ? [{ path, message: 'Must not name a project twice.' }] : []
    }),
  )
}

const sorted = (all: readonly (Omit<Choice, 'events'> & { events: OwnEvents | typeof everySafetyEvent })[]) =>
  all
    .map(({ projectId, events, digest }) => ({ projectId, events: namesIn(events), digest }))
    .toSorted((one, other) => (one.projectId < other.projectId ? -1 : 1))

const namesIn = (events: OwnEvents | typeof everySafetyEvent): OwnEvents =>
  events === everySafetyEvent ? [everySafetyEvent] : events

async function choose(
  tx: Tx,
  seal: Seal,
  now: Date,
  person: { orgId: string; userId: string },
  { projectId, events, digest }: Choice,
): Promise<void> {
  const row = newOwnMail(person, { projectId, events: namesIn(events), digest })
  const id = await saveOwnMail(tx, row, now)
  if (id === row.id) await sealNothing(tx, seal, row, now)
  if (row.events.length === 0) await deleteWaiting(tx, [id])
}

const newOwnMail = (
  person: { orgId: string; userId: string },
  fields: Pick<NewOwnMail, 'projectId' | 'events' | 'digest'>,
): NewOwnMail => ({ id: newId(), secretId: newId(), ...person, ...fields })

/** Every destination has sealed secrets, even if there are none. */
const sealNothing = (tx: Tx, seal: Seal, { id, secretId }: NewOwnMail, now: Date): Promise<void> =>
  insertSecret(tx, { id: secretId, destinationId: id, sealed: seal.seal('{}', secretId) }, now)

/** Writes the deliveries for the events of a change, also to owners and administrators who have chosen nothing. */
export const fanOutToAll =
  (seal: Seal): Subscriber =>
  async (tx, events) => {
    await addDefaults(tx, seal, events)
    await fanOut(tx, events)
  }

async function addDefaults(tx: Tx, seal: Seal, events: readonly RecordedEvent[]): Promise<void> {
  const safety = events.find(({ name }) => isSafetyEvent(name))
  if (!safety) return
  const { orgId, projectId, occurredAt } = safety
  for (const userId of await administratorsWithoutMail(tx, orgId, projectId)) {
    const row = newOwnMail({ orgId, userId }, { projectId, events: [everySafetyEvent], digest: 'NONE' })
    if (await insertDefault(tx, row, occurredAt)) await sealNothing(tx, seal, row, occurredAt)
  }
}

export interface LinkContext {
  db: Db
  seal: Seal
  signers: Signers
  authorOf: Authors
}

/** What a link ends, and for whom. Everything that is not a link gets the same refusal. */
export async function mailingOf(
  { db, signers }: Pick<LinkContext, 'db' | 'signers'>,
  secret: string,
): Promise<{ mailing: Mailing; email: string } | Refusal> {
  const id = destinationIn(secret)
  const mailing = id === undefined ? undefined : await findMailing(db, id)
  if (!mailing) return notFound('Link')
  const subject = subjectOf(signers.unsubscribe, secret, mailing.user ? [mailing.user.id] : mailing.to)
  return subject === undefined ? notFound('Link') : { mailing, email: mailing.user?.email ?? subject }
}

/** Whether a link has nothing to end any more. */
export const isOver = ({ user, events, enabled, to }: Mailing): boolean =>
  user ? events.length === 0 : to.length === 1 && !enabled

/** Ends the mail that a link came with. Doing so again changes nothing. */
export async function unsubscribe(context: LinkContext, secret: string): Promise<null | Refusal> {
  const { db, seal, authorOf } = context
  const by = authorOf(systemActor('unsubscribe link'))
  return inTransaction(db, async (tx) => {
    const found = await mailingOf({ ...context, db: tx }, secret)
    if (isRefusal(found)) return found
    const { mailing, email } = found
    const { id, orgId, projectId, user } = mailing
    if (isOver(mailing)) return null
    if (!user) return removeAddress(tx, by, id, email)
    await lockOwnMail(tx, { orgId, userId: user.id })
    await recordChoice(
      tx,
      by,
      { orgId, user },
      { before: { projectId, events: mailing.events }, after: { projectId, events: [] } },
    )
    await choose(tx, seal, by.now, { orgId, userId: user.id }, { projectId, events: [], digest: 'NONE' })
    return null
  })
}

const recordChoice = (
  tx: Tx,
  by: Author,
  { orgId, user: { id, name } }: Pick<Hearer, 'orgId' | 'user'>,
  states: { before: unknown; after: unknown },
): Promise<void> =>
  by.record(tx, { orgId, projectId: null, action: 'user.mail_change', object: { type: 'user', id, name }, ...states })
