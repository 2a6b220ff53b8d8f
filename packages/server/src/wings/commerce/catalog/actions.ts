import { isDeepStrictEqual } from 'node:util'
import { invalid, notFound, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { followSettings } from '../../measuring/orders/index.ts'
import {
  activate,
  type Catalog,
  type Changes,
  closeVersions,
  countLiveProducts,
  endWriting,
  findCatalog,
  insertVersions,
  type LockedCatalog,
  liveItems,
  lockCatalog,
  maxItems,
  saveSettings,
  undoLeftOvers,
  versionOf,
} from '../../model/catalog/index.ts'
import { type CheckedBatch, checkBatch, maxShownProblems, planBatch, type SentBatch } from './batch.ts'
import { refusesRates, type SettingsEdit } from './settings.ts'

export interface InProject {
  orgId: string
  projectId: string
}

/** What a dead job has left of a large sync is undone by the next job. A batch undoes only this much. */
const maxUndone = 5000

/** Numbers the batches of events, because changes of orders are batches, too. */
export type Numbering = Parameters<typeof followSettings>[1]

export async function updateSettings(
  { db, events }: { db: Db; events: Numbering },
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId }: InProject,
  edit: SettingsEdit,
): Promise<Catalog | Refusal> {
  return inTransaction(db, async (tx) => {
    const catalog = await lockCatalog(tx, { orgId, projectId }, by.now)
    if (!catalog) return notFound('Project')
    const failed = ifMatch(versionEtag('catalog', catalog.version))
    if (failed) return failed
    const { currency = catalog.currency, rates = catalog.rates, orders = { trust: catalog.orderTrust } } = edit
    const settings = { currency, rates, orderTrust: orders.trust ?? catalog.orderTrust }
    const refused = refusesRates(catalog, settings, edit.rates !== undefined)
    if (refused) return invalid(refused)
    const { currency: was, rates: wereRates, orderTrust: wasTrust } = catalog
    const before = { currency: was, rates: wereRates, orderTrust: wasTrust }
    if (isDeepStrictEqual(before, settings)) return catalog
    const held = await followSettings(tx, events, { projectId, before, after: settings, now: by.now })
    if (held) return held
    const saved = { ...catalog, ...settings, version: catalog.version + 1, updatedAt: by.now }
    await saveSettings(tx, projectId, saved)
    await by.record(tx, {
      ...{ orgId, projectId, action: 'catalog.update', before, after: settings },
      object: { type: 'catalog', id: catalog.id, name: catalog.projectName },
      events: [{ name: 'catalog.updated', payload: { catalog: told(catalog), changes: null } }],
    })
    return saved
  })
}

export interface SavedBatch extends Changes {
  revision: number
  warnings: CheckedBatch['warnings']
}

/** Saves all items and deletions of a batch as one revision, or nothing. Without a change, there is no revision. */
export async function saveBatch(
  db: Db,
  by: Author,
  { orgId, projectId }: InProject,
  sent: SentBatch,
): Promise<SavedBatch | Refusal> {
  const read = await findCatalog(db, { orgId, projectId })
  const batch = checkBatch(sent, read?.currency ?? null)
  if ('issues' in batch) return refuseIssues(batch.issues.slice(0, maxShownProblems))!
  const { warnings } = batch
  return inTransaction(db, async (tx) => {
    const catalog = await lockCatalog(tx, { orgId, projectId }, by.now)
    if (!catalog) return notFound('Project')
    const busy = await refusesBusy(tx, projectId, catalog)
    if (busy) return busy
    const plan = planBatch(
      batch,
      await liveItems(tx, projectId, [...batch.items.map(({ item }) => item.itemId), ...batch.deleted]),
    )
    if ('issues' in plan) return refuseIssues(plan.issues.slice(0, maxShownProblems))!
    const { closed, inserted, productIds, changes } = plan
    if (closed.length + inserted.length === 0) return { revision: catalog.revision, ...changes, warnings }
    if (catalog.items + changes.added > maxItems)
      return invalid({ path: ['upsert'], message: `A catalog can have up to ${maxItems} items.` })
    const revision = catalog.revision + 1
    const productsBefore = await countLiveProducts(tx, projectId, productIds)
    await closeVersions(tx, { projectId, revision }, closed)
    const versions = inserted.map(({ item, hash }) => versionOf(projectId, item, hash))
    await insertVersions(tx, { projectId, revision, sourceId: null }, versions)
    const moreProducts = (await countLiveProducts(tx, projectId, productIds)) - productsBefore
    const { type, id, name } = by.actor
    const made = { madeBy: { type, id, name }, jobId: null, sourceId: null, now: by.now }
    const shown = await activate(tx, { projectId, revision, ...changes, moreProducts, ...made })
    const { added, changed, removed } = changes
    await by.record(tx, {
      ...{ orgId, projectId, action: 'catalog.save_items' },
      object: { type: 'catalog', id: catalog.id, name: catalog.projectName },
      before: { revision: catalog.revision },
      after: { revision, added, changed, removed },
      events: [
        {
          name: 'catalog.updated',
          payload: { catalog: { id: catalog.id, revision, ...shown }, changes: { added, changed, removed } },
        },
      ],
    })
    return { revision, ...changes, warnings }
  })
}

const told = ({ id, revision, items, products }: LockedCatalog) => ({ id, revision, items, products })

/** While a job writes the next revision, nobody else can. What a dead job has left is undone if it is little. */
async function refusesBusy(
  tx: Tx,
  projectId: string,
  { revision, writingJobId, isBeingWritten }: LockedCatalog,
): Promise<Refusal | undefined> {
  if (writingJobId === null) return undefined
  if (!isBeingWritten && (await undoLeftOvers(tx, { projectId, revision }, maxUndone))) {
    await endWriting(tx, projectId)
    return undefined
  }
  return refuse('catalog_busy', 'A job is writing the catalog. Try again when it has ended.', {
    current: 'WRITING',
    references: [{ type: 'job', id: writingJobId }],
  })
}
