import type { z } from 'zod'
import { isRefusal, refuse } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/index.ts'
import { projectNounRoutes } from '../../flags/projects/index.ts'
import { jobSchema, presentJob } from '../../model/jobs/index.ts'
import { type Activating, activate, datasetActions, requestVersion, rollback } from './actions.ts'
import { type DatasetRow, datasetQueries, findVersion, listVersions, type VersionRow } from './queries.ts'
import { activateBody, createDatasetBody, datasetSchema, updateDatasetBody, versionSchema } from './schema.ts'

interface DatasetContext extends Activating {
  db: Db
  cursors: Cursors
  jobs: Jobs
  /** How long events are kept, in milliseconds. */
  retentionMs: number
}

export function datasetRoutes(route: Route, context: DatasetContext): void {
  const { db, cursors, jobs, retentionMs } = context
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

  route({
    ...one,
    method: 'POST',
    url: `${url}/versions`,
    operationId: 'createDatasetVersion',
    summary: 'Derive a version of a dataset',
    description:
      'Reads the events of its window, and lets the version go live unless a guard stops it. The answer is the job that does this (202); call `getJob` to see when it ends. If the dataset has a job that is queued or running, the answer is that job (200). Only for datasets of INTERACTIONS.',
    scope: 'datasets:write',
    data: jobSchema,
    canGoOn: true,
    async handle({ found: { id, projectId, kind }, caller, by }) {
      if (kind !== 'INTERACTIONS')
        return refuse('invalid_state', 'Only a dataset of INTERACTIONS can be derived.', {
          current: kind,
          allowed: ['INTERACTIONS'],
        })
      const asked = await requestVersion({ db, jobs }, by, { orgId: caller.organization.id, projectId, id })
      return isRefusal(asked) ? asked : { data: presentJob(asked.job), goesOn: asked.isNew }
    },
  })

  activationRoutes(route, ofDataset, context)
}

type OfDataset = ReturnType<typeof projectNounRoutes<DatasetRow, never, never, never>>

function activationRoutes(route: Route, { one, url }: OfDataset, context: DatasetContext): void {
  const { db } = context

  route({
    tag: one.tag,
    method: 'POST',
    url: `${url}/versions/:versionId/activate`,
    operationId: 'activateDatasetVersion',
    summary: 'Activate a version of a dataset',
    description: 'Goes back or forward to a version, also to one that is held. Models read it at their next run.',
    params: { projectId: idField, datasetId: idField, versionId: idField },
    scope: 'datasets:write',
    body: activateBody,
    data: versionSchema,
    async find({ projectId, datasetId, versionId }, caller) {
      const dataset = await datasetQueries.find(db, caller.organization.id, projectId, datasetId)
      const version = dataset && isId(versionId) ? await findVersion(db, dataset.id, versionId) : undefined
      return dataset && version && { id: dataset.id, projectId: dataset.projectId, versionId: version.id }
    },
    async handle({ found, caller, by, body }) {
      const version = await activate(db, by, context, { ...found, ...body, orgId: caller.organization.id })
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
      const version = await rollback(db, by, context, { id, projectId, ...body, orgId: caller.organization.id })
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
