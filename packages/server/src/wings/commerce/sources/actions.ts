import type { z } from 'zod'
import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Jobs, openJob, removeSchedule, setSchedule } from '../../../platform/jobs/index.ts'
import type { Seal } from '../../../platform/seal.ts'
import { asOne } from '../../../platform/transaction.ts'
import { findProject, projectNoun } from '../../flags/projects/index.ts'
import { findProduction, isEnvironmentOf } from '../../model/environments/index.ts'
import { recordJob } from '../../model/jobs/index.ts'
import { fetchingKind } from './job-kinds.ts'
import { insertSource, type Source, saveSource, sealedSecretOf, sourceQueries } from './queries.ts'
import { catalogRemovalKind } from './removal.ts'
import type { createSourceBody, updateSourceBody } from './schema.ts'
import {
  type Auth,
  authEdit,
  credentialsOf,
  guardsOf,
  maxSourcesPerProject,
  refusesKeptSecret,
  refusesSource,
  type SourceContent,
} from './source.ts'

type NewSource = SourceContent & { key?: string | undefined }

/** @param sealed the secret of a new `secretId`; undefined if it stays */
const sourceNoun = (sealed?: Buffer | null) =>
  projectNoun<'catalog_source', Source, SourceContent, NewSource>({
    noun: 'catalog_source',
    word: 'source',
    most: maxSourcesPerProject,
    queries: sourceQueries,
    content: contentOf,
    begin: () => ({}),
    async insert(tx, row, by) {
      await insertSource(tx, row, sealed ?? null)
      await schedule(tx, row, by.now)
    },
    async save(tx, row, by) {
      await saveSource(tx, row, sealed)
      await schedule(tx, row, by.now)
    },
    refuses: {
      content: async (tx, projectId, content) =>
        refusesSource(content) ?? (await refusesEnvironment(tx, projectId, content.envId)),
      edit: async (_tx, before, after) => refusesKeptSecret(before, after),
      delete: refusesDeletion,
    },
  })

async function schedule(tx: Tx, source: Source, now: Date): Promise<void> {
  const { id: sourceId, projectId, name } = source
  await setSchedule(tx, { projectId, sourceId, name, kind: fetchingKind(source), schedule: source.schedule, now })
}

/** Without a schedule, nobody can make a job of the source any more: the scheduler waits, and requests keep the source. */
async function refusesDeletion(tx: Tx, { id }: Source): Promise<Refusal | undefined> {
  await removeSchedule(tx, id)
  const job = await openJob(tx, id)
  if (!job) return undefined
  return refuse('invalid_state', 'A job of this source is queued or running. Cancel it first, or wait for its end.', {
    current: job.status,
    references: [{ type: 'job', id: job.id }],
  })
}

/** The actions of sources. Secrets are sealed before they are written. */
export function sourceActions(seal: Seal, jobs: Pick<Jobs, 'create'>) {
  const plain = sourceNoun()
  type Actions = typeof plain

  const create = (
    db: Db,
    by: Parameters<Actions['create']>[1],
    project: { orgId: string; id: string },
    { envId, fields, mode, guards, auth, ...wanted }: z.output<typeof createSourceBody>,
  ): Promise<Source | Refusal> =>
    asOne(db, async (tx) => {
      const { type } = wanted
      const sealed = sealedAuth(seal, null, auth)
      if (isRefusal(sealed)) return sealed
      const ofOrders = type === 'ORDERS' ? ((await findProduction(tx, project.id)) ?? null) : null
      return sourceNoun(sealed.sealed).create(db, by, project, {
        ...wanted,
        ...sealed.edit,
        mode: mode ?? (type === 'ORDERS' ? 'DELTA' : 'FULL'),
        guards: guardsOf(type, guards as SourceContent['guards']),
        envId: envId ?? ofOrders,
        fields: fields ?? null,
      } as NewSource)
    })

  const update = (
    db: Db,
    by: Parameters<Actions['update']>[1],
    ifMatch: Parameters<Actions['update']>[2],
    which: Parameters<Actions['update']>[3],
    { auth, ...edit }: z.output<typeof updateSourceBody>,
  ): Promise<Source | Refusal> =>
    asOne(db, async (tx) => {
      const before = await sourceQueries.lock(tx, which.id)
      if (!before) return notFound('Catalog source')
      const sealed = auth === undefined ? unchanged : sealedAuth(seal, before, auth)
      if (isRefusal(sealed)) return sealed
      return sourceNoun(sealed.sealed).update(db, by, ifMatch, which, {
        ...(edit as Partial<SourceContent>),
        ...sealed.edit,
      })
    })

  const remove: Actions['delete'] = (db, by, ifMatch, which, { items } = {}) =>
    asOne(db, async (tx) => {
      const source = await plain.delete(db, by, ifMatch, which)
      if (isRefusal(source)) return source
      if (source.type === 'ORDERS' && items === 'remove')
        return invalid({ path: ['items'], message: 'A source of ORDERS has no items that can be removed.' })
      // What a supplement says does not outlive it.
      if (source.type !== 'SUPPLEMENT' && items !== 'remove') return source
      const { orgId, projectId } = which
      const project = await findProject(tx, orgId, projectId)
      if (!project) return notFound('Project')
      const id = newId()
      const of = { id: projectId, name: project.name }
      const wanted = { id, projectId, kind: catalogRemovalKind, source: of, trigger: 'REQUEST' } as const
      const input = { sourceId: source.id, sourceName: source.name }
      const refusal = await jobs.create(tx, { ...wanted, input, now: by.now })
      if (refusal) return refusal
      await recordJob(tx, by, { ...wanted, orgId, status: 'QUEUED' }, 'request', { after: input })
      return source
    })

  return { ...plain, create, update, delete: remove }
}

interface SealedAuth {
  edit: Partial<Pick<SourceContent, 'auth' | 'secretId'>>
  /** Undefined: the secret stays. */
  sealed?: Buffer | null
}

const unchanged: SealedAuth = { edit: {} }

function sealedAuth(seal: Seal, before: Source | null, given: Auth | null): SealedAuth | Refusal {
  const edit = authEdit(before?.auth ?? null, given)
  if (isRefusal(edit)) return edit
  const { shown: auth, secret } = edit
  if (auth === null) return { edit: { auth, secretId: null }, sealed: null }
  if (secret === null) return { edit: { auth } }
  const secretId = newId()
  return { edit: { auth, secretId }, sealed: seal.seal(secret, secretId) }
}

async function refusesEnvironment(tx: Tx, projectId: string, envId: string | null): Promise<Refusal | undefined> {
  if (envId === null || (await isEnvironmentOf(tx, projectId, envId))) return undefined
  return invalid({ path: ['envId'], message: 'There is no such environment in this project.' })
}

function contentOf(row: SourceContent): SourceContent {
  const { name, type, mode, format, encoding, url, auth } = row
  const { mapping, defaultCurrency, guards, schedule, envId, fields, secretId } = row
  return {
    ...{ name, type, mode, format, encoding, url, auth, mapping, defaultCurrency, guards, schedule, envId, fields },
    secretId,
  }
}

/** The header that a request for the file of a source has. */
export async function credentialsFor(
  db: Db,
  seal: Seal,
  { id, auth }: Source,
): Promise<Record<string, string> | Refusal> {
  const sealed = await sealedSecretOf(db, id)
  if (!sealed) return {}
  if (!seal.opens(sealed.sealed, sealed.secretId))
    return refuse(
      'invalid_state',
      'The secret of this source cannot be read: it was encrypted with a different secret key. Start the service with that key, or send the secret again.',
    )
  return credentialsOf(auth, seal.open(sealed.sealed, sealed.secretId))
}
