import type { z } from 'zod'
import { isRefusal, refuse } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import type { StreamedBody } from '../../../http/body.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/index.ts'
import { projectNounRoutes } from '../../flags/projects/index.ts'
import type { MeasuredEvents } from '../../measuring/events/index.ts'
import { jobSchema, presentJob } from '../../model/jobs/index.ts'
import { type Activating, activate, datasetActions, requestVersion, rollback } from './actions.ts'
import { type DatasetRow, datasetQueries, findVersion, listVersions, type VersionRow } from './queries.ts'
import { firstInteractions } from './sample.ts'
import {
  activateBody,
  createDatasetBody,
  datasetFile,
  datasetSchema,
  sampleSchema,
  updateDatasetBody,
  versionSchema,
} from './schema.ts'
import { firstPairs, takeUpload } from './uploads/actions.ts'

/** About 5 million rows. */
const maxUploadBytes = 256 * 1024 * 1024
const mediaTypes = [
  ...['application/octet-stream', 'text/csv', 'text/plain', 'application/json', 'application/jsonl'],
  'application/x-ndjson',
]
const sampleRows = 100

interface DatasetContext extends Activating {
  db: Db
  events: Pick<MeasuredEvents, 'happened'>
  cursors: Cursors
  jobs: Jobs
  /** How long events are kept, in milliseconds. */
  retentionMs: number
}

export function datasetRoutes(route: Route, context: DatasetContext): void {
  const { db, cursors, retentionMs } = context
  const ofDataset = projectNounRoutes(route, { db, cursors }, datasetActions(retentionMs), {
    writtenBy: 'datasets:write',
    data: datasetSchema,
    present: (rows) => rows.map(present),
    create: {
      text: 'A dataset is a table that models of recommendations learn from, with immutable versions, one of them active. `createDatasetVersion` derives the first one; a `schedule` derives others.',
      body: createDatasetBody as never,
    },
    update: {
      text: '`derivation` and `guards` are replaced as a whole. They count from the next version on.',
      body: updateDatasetBody as never,
    },
    texts: { delete: 'Refused while models learn from it, and while a job of it is queued or running.' },
  })
  const { one, url } = ofDataset

  route({
    ...one,
    method: 'GET',
    url: `${url}/versions`,
    operationId: 'listDatasetVersions',
    summary: 'List the versions of a dataset',
    description: 'Newest first. The last 5 are kept, those of the last day, and the active one.',
    scope: 'datasets:read',
    query: pageQuery,
    data: versionSchema.array(),
    paged: true,
    handle: ({ found: { id }, query }) =>
      cursors.list(
        query,
        ['dataset versions', id],
        (after, limit) => listVersions(db, id, after, limit),
        (rows) => rows.map(presentVersion),
      ),
  })

  creationRoutes(route, ofDataset, context)
  activationRoutes(route, ofDataset, context)
}

type OfDataset = ReturnType<typeof projectNounRoutes<DatasetRow, never, never, never>>

function creationRoutes(route: Route, { one, url }: OfDataset, { db, jobs, events }: DatasetContext): void {
  route({
    ...one,
    method: 'POST',
    url: `${url}/versions`,
    operationId: 'createDatasetVersion',
    summary: 'Create a version of a dataset',
    description:
      'Of INTERACTIONS, without a body: reads the events of its window. Of NEIGHBOURS, the body is the file: CSV with the columns `productId`, `relatedId` and `score`, or JSON lines with these fields. The version goes live unless a guard stops it. The answer is the job that does this (202); call `getJob` to see when it ends. If a dataset of INTERACTIONS has a job that is queued or running, the answer is that job (200); a file is refused meanwhile.',
    scope: 'datasets:write',
    idempotent: false,
    upload: { stream: true, maxBytes: maxUploadBytes, mediaTypes },
    body: datasetFile,
    data: jobSchema,
    canGoOn: true,
    async handle({ found: { id, projectId, kind }, caller, by, body }) {
      const which = { orgId: caller.organization.id, projectId, id }
      const file = (body ?? null) as StreamedBody | null
      if (kind === 'NEIGHBOURS') {
        if (file === null) return refuse('validation_failed', 'Send the file as the body: CSV or JSON lines.')
        const job = await takeUpload({ db, jobs }, by, which, file)
        return isRefusal(job) ? job : { data: presentJob(job), goesOn: true }
      }
      if (file !== null && !(await isEmpty(file)))
        return refuse('validation_failed', 'A dataset of INTERACTIONS is derived. Send no body.')
      const asked = await requestVersion({ db, jobs }, by, which)
      return isRefusal(asked) ? asked : { data: presentJob(asked.job), goesOn: asked.isNew }
    },
  })

  route({
    ...ofVersion(db, one.tag),
    method: 'GET',
    url: `${url}/versions/:versionId/sample`,
    operationId: 'getDatasetSample',
    summary: 'Get the first rows of a version',
    description: `Up to ${sampleRows} rows.`,
    scope: 'datasets:read',
    data: sampleSchema,
    async handle({ found: { version } }) {
      if (version.derivation === null) return { data: await firstPairs(db, version.id, sampleRows) }
      return { data: await firstInteractions(events, version, sampleRows) }
    },
  })
}

/** Whether a body says nothing: some clients send an empty object. */
async function isEmpty(file: StreamedBody): Promise<boolean> {
  let text = ''
  for await (const bytes of file) {
    text += new TextDecoder().decode(bytes)
    if (text.length > 100) return false
  }
  return ['', '{}'].includes(text.trim())
}

/** A version of a dataset in an address. */
const ofVersion = (db: Db, tag: string) => ({
  tag,
  params: { projectId: idField, datasetId: idField, versionId: idField },
  async find(
    { projectId, datasetId, versionId }: { projectId: string; datasetId: string; versionId: string },
    caller: { organization: { id: string } },
  ) {
    const dataset = await datasetQueries.find(db, caller.organization.id, projectId, datasetId)
    const version = dataset && isId(versionId) ? await findVersion(db, dataset.id, versionId) : undefined
    return dataset && version && { id: dataset.id, projectId: dataset.projectId, versionId: version.id, version }
  },
})

function activationRoutes(route: Route, { one, url }: OfDataset, context: DatasetContext): void {
  const { db } = context

  route({
    ...ofVersion(db, one.tag),
    method: 'POST',
    url: `${url}/versions/:versionId/activate`,
    operationId: 'activateDatasetVersion',
    summary: 'Activate a version of a dataset',
    description: 'Goes back or forward to a version, also to one that is held. Models read it at their next run.',
    scope: 'datasets:write',
    body: activateBody,
    data: versionSchema,
    async handle({ found: { id, projectId, versionId }, caller, by, body }) {
      const which = { orgId: caller.organization.id, projectId, id, versionId }
      const version = await activate(db, by, context, { ...which, run: body?.run ?? false })
      return isRefusal(version) ? version : { data: presentVersion(version) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/rollback`,
    operationId: 'rollBackDataset',
    summary: 'Activate the version that was active before',
    scope: 'datasets:write',
    body: activateBody,
    data: versionSchema,
    async handle({ found: { id, projectId }, caller, by, body }) {
      const version = await rollback(db, by, context, {
        ...{ id, projectId, orgId: caller.organization.id },
        run: body?.run ?? false,
      })
      return isRefusal(version) ? version : { data: presentVersion(version) }
    },
  })
}

const present = ({
  version: _version,
  createdAt,
  updatedAt,
  ...dataset
}: DatasetRow): z.input<typeof datasetSchema> => ({
  ...dataset,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const presentVersion = (version: VersionRow): z.input<typeof versionSchema> => {
  const { id, number, jobId, status, isActive, rows, units, products, sha256, checks } = version
  return {
    ...{ id, number, jobId, status, isActive, rows, units, products, sha256, checks },
    from: version.from?.toISOString() ?? null,
    through: version.until?.toISOString() ?? null,
    createdAt: version.createdAt.toISOString(),
    activatedAt: version.activatedAt?.toISOString() ?? null,
  }
}
