import type { z } from 'zod'
import { isRefusal } from '../../../../catalogue/refusals.ts'
import { idField } from '../../../../fields.ts'
import { type Cursors, pageQuery } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'
import type { Jobs } from '../../../../platform/jobs/index.ts'
import { projectNounRoutes } from '../../../flags/projects/index.ts'
import { jobSchema, presentJob } from '../../../model/jobs/index.ts'
import { activate, modelActions, requestRun } from './actions.ts'
import { findRun, listRuns, type ModelRow, modelQueries, type RunRow } from './queries.ts'
import { createModelBody, modelSchema, runSchema, updateModelBody } from './schema.ts'

interface ModelContext {
  db: Db
  cursors: Cursors
  jobs: Jobs
}

export function modelRoutes(route: Route, context: ModelContext): void {
  const ofModel = projectNounRoutes(route, context, modelActions, {
    writtenBy: 'recommendations:write',
    data: modelSchema,
    present: (rows) => rows.map(present),
    create: {
      text: 'A model answers one strategy of placements. It serves from its first run that goes live; without a `schedule`, `startRecommendationRun` starts it.',
      body: createModelBody,
    },
    update: { text: '`settings` are replaced as a whole. They count from the next run on.', body: updateModelBody },
    texts: {
      delete: 'Refused while a run of it is queued or running. Placements that use its strategy answer without it.',
    },
  })

  runRoutes(route, ofModel, context)
}

type OfModel = ReturnType<typeof projectNounRoutes<ModelRow, never, never, never>>

function runRoutes(route: Route, { one, url }: OfModel, { db, cursors, jobs }: ModelContext): void {
  route({
    ...one,
    method: 'GET',
    url: `${url}/runs`,
    operationId: 'listRecommendationRuns',
    summary: 'List the runs of a model',
    description:
      'Newest first. The last 5 runs are kept, those of the last day, and the one that serves. `metrics` is null for a run that has nothing to be measured on.',
    scope: 'recommendations:read',
    query: pageQuery,
    data: runSchema.array(),
    paged: true,
    handle: ({ found: { id }, query }) =>
      cursors.list(
        query,
        ['recommendation runs', id],
        (after, limit) => listRuns(db, id, after, limit),
        (rows) => rows.map(presentRun),
      ),
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/runs`,
    operationId: 'startRecommendationRun',
    summary: 'Start a run of a model',
    description:
      'Builds the model anew and lets it serve, unless it is clearly worse than the one that serves. The answer is the job that does this (202); call `getJob` to see when it ends. If the model has a job that is queued or running, the answer is that job (200).',
    scope: 'recommendations:write',
    data: jobSchema,
    canGoOn: true,
    async handle({ found: { id, projectId }, caller, by }) {
      const asked = await requestRun({ db, jobs }, by, { orgId: caller.organization.id, projectId, id })
      return isRefusal(asked) ? asked : { data: presentJob(asked.job), goesOn: asked.isNew }
    },
  })

  route({
    tag: one.tag,
    method: 'POST',
    url: `${url}/runs/:runId/activate`,
    operationId: 'activateRecommendationRun',
    summary: 'Let a run of a model serve',
    description: 'Goes back or forward to a run that has succeeded, at once and on every node.',
    params: { projectId: idField, modelId: idField, runId: idField },
    scope: 'recommendations:write',
    data: runSchema,
    async find({ projectId, modelId, runId }, caller) {
      const model = await modelQueries.find(db, caller.organization.id, projectId, modelId)
      const run = model && isId(runId) ? await findRun(db, model.id, runId) : undefined
      return model && run && { id: model.id, projectId: model.projectId, runId: run.id }
    },
    async handle({ found: { id, projectId, runId }, caller, by }) {
      const run = await activate(db, by, { orgId: caller.organization.id, projectId, id, runId })
      return isRefusal(run) ? run : { data: presentRun(run) }
    },
  })
}

const present = ({ version: _version, createdAt, updatedAt, ...model }: ModelRow): z.input<typeof modelSchema> => ({
  ...model,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const presentRun = ({ startedAt, endedAt, activatedAt, ...run }: RunRow): z.input<typeof runSchema> => ({
  ...run,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  activatedAt: activatedAt?.toISOString() ?? null,
})
