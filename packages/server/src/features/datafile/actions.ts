import type { Db, Tx } from '../../platform/db/index.ts'
import type { Event } from '../../platform/outbox.ts'
import { inTransaction } from '../../platform/transaction.ts'
import { isRefusal, type Refusal } from '../../refusals.ts'
import { type FlagSummary, ruleSummary } from '../versions/index.ts'
import { dataFileBytes, etagOf, fragmentText, parseFragment } from './bytes.ts'
import { fragmentOf } from './fragment.ts'
import {
  type FlagStateRow,
  flagStates,
  fragmentsOf,
  markServed,
  notifyChanged,
  type PublishedEnvironment,
  type StoredDataFile,
  saveDataFile,
  saveFragments,
} from './queries.ts'
import type { DataFileStore } from './store.ts'
import { dataFileUrl } from './url.ts'

/** What became of an environment's data file: the same revision again when no byte changed. */
export interface Publication {
  changed: boolean
  revision: number
  previousRevision: number
  etag: string
  bytes: number
  publishedAt: Date | null
  events: Event[]
}

/** The flags that a transaction has changed, or those that it is about to delete. */
export type RepublishedFlags = readonly string[] | { leaving: readonly string[] }

/** Brings the data file of a locked environment up to date with what the transaction does to these flags. */
export type Republish = (
  tx: Tx,
  environment: PublishedEnvironment,
  flags: RepublishedFlags,
  now: Date,
) => Promise<Publication>

/**
 * Runs a change that visitors may see: one transaction holds the change and the data files that follow from it, and
 * once it has committed, and before this answers, this node serves them.
 */
export type Publishing = <Result>(
  work: (tx: Tx, republish: Republish) => Promise<Result | Refusal>,
) => Promise<Result | Refusal>

/** `baseUrl`: where receivers of events find the data files. */
export function publishing(db: Db, store: DataFileStore, baseUrl: string): Publishing {
  return async (work) => {
    const files: StoredDataFile[] = []
    const result = await inTransaction(db, (tx) =>
      work(tx, async (_tx, environment, flags, now) => {
        const url = dataFileUrl(baseUrl, environment.sdkKey)
        const { file, publication } = await republish(tx, { ...environment, url }, flags, now)
        if (file) files.push(file)
        return publication
      }),
    )
    if (!isRefusal(result)) for (const file of files) store.put(file)
    return result
  }
}

async function republish(
  tx: Tx,
  environment: PublishedEnvironment & { url: string },
  flags: RepublishedFlags,
  now: Date,
): Promise<{ file?: StoredDataFile; publication: Publication }> {
  const leaving = 'leaving' in flags
  const changed = (await flagStates(tx, environment.id, leaving ? flags.leaving : flags))
    .map((flag) => ({ flag, fragment: leaving ? null : newFragment(flag) }))
    .filter(({ flag, fragment }) => fragment !== flag.fragment)
  const { revision, etag, bytes, publishedAt } = environment
  if (changed.length === 0)
    return {
      publication: { changed: false, revision, previousRevision: revision, etag, bytes, publishedAt, events: [] },
    }
  await saveFragments(
    tx,
    environment.id,
    changed.map(({ flag, fragment }) => ({ flagId: flag.id, fragment })),
  )
  const file = await nextDataFile(tx, environment, now)
  const activated = changed.flatMap(({ flag, fragment }) =>
    newRules(flag.fragment, fragment).map((ruleId) => ({ flag, ruleId })),
  )
  if (activated.length > 0)
    await markServed(
      tx,
      activated.map(({ ruleId }) => ruleId),
      now,
    )
  const publication = {
    changed: true,
    revision: file.revision,
    previousRevision: revision,
    etag: file.etag,
    bytes: file.bytes.length,
    publishedAt: now,
    events: [
      publishedEvent(environment, file, changed),
      ...activated.map(({ flag, ruleId }) => activatedEvent(environment, flag, ruleId)),
    ],
  }
  return { file, publication }
}

async function nextDataFile(tx: Tx, environment: PublishedEnvironment, now: Date): Promise<StoredDataFile> {
  const { id, key, sdkKey } = environment
  const revision = environment.revision + 1
  const head = { revision, publishedAt: now, environment: { id, key } }
  const bytes = dataFileBytes(head, await fragmentsOf(tx, id))
  const file = { envId: id, sdkKey, revision, etag: etagOf(bytes), bytes }
  await saveDataFile(tx, id, { ...file, publishedAt: now })
  await notifyChanged(tx, id)
  return file
}

/** The file of an environment that nobody published yet: revision 0, every flag paused. */
export async function firstDataFile(
  tx: Tx,
  environment: PublishedEnvironment,
  flagIds: readonly string[],
): Promise<StoredDataFile> {
  const { id, key, sdkKey } = environment
  const states = await flagStates(tx, id, flagIds)
  await saveFragments(
    tx,
    id,
    states.map((flag) => ({ flagId: flag.id, fragment: newFragment(flag) })),
  )
  const bytes = dataFileBytes({ revision: 0, publishedAt: null, environment: { id, key } }, await fragmentsOf(tx, id))
  const file = { envId: id, sdkKey, revision: 0, etag: etagOf(bytes), bytes }
  await saveDataFile(tx, id, { ...file, publishedAt: null })
  await notifyChanged(tx, id)
  return file
}

function newFragment(flag: FlagStateRow): string | null {
  const fragment = fragmentOf({ ...flag, enabledRules: new Set(flag.enabledRules) })
  return fragment && fragmentText(flag.key, fragment)
}

/** Rules that the new fragment serves and the old one did not. */
function newRules(before: string | null, after: string | null): string[] {
  const served = (fragment: string | null) => parseFragment(fragment)?.rules.map(({ id }) => id) ?? []
  const old = new Set(served(before))
  return served(after).filter((id) => !old.has(id))
}

const summaryOf = ({ id, shortId, key, name, status }: FlagStateRow): FlagSummary => ({
  id,
  shortId,
  key,
  name,
  status,
})

type ChangedFlag = { flag: FlagStateRow; fragment: string | null }

function publishedEvent(
  environment: PublishedEnvironment & { url: string },
  file: StoredDataFile,
  changed: ChangedFlag[],
): Event {
  return {
    name: 'flag.published',
    payload: {
      environment: { id: environment.id, name: environment.name },
      dataFile: {
        revision: file.revision,
        previousRevision: environment.revision,
        etag: file.etag,
        url: environment.url,
      },
      flags: changed.map(({ flag, fragment }) => ({
        ...summaryOf(flag),
        before: parseFragment(flag.fragment),
        after: parseFragment(fragment),
      })),
    },
  }
}

function activatedEvent(environment: PublishedEnvironment, flag: FlagStateRow, ruleId: string): Event {
  const rule = flag.live.rules.find(({ id }) => id === ruleId)
  return {
    name: 'flag.rule_activated',
    payload: {
      environment: { id: environment.id, name: environment.name },
      flag: summaryOf(flag),
      rule: rule && ruleSummary(rule),
    },
  }
}
