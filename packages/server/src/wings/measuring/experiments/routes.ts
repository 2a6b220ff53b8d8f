import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import { holdsScope } from '../../../catalogue/scopes.ts'
import type { Caller } from '../../../http/credentials.ts'
import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { nounRoutes } from '../../../nouns/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { findTestedFlag } from '../../flags/flags/index.ts'
import { findProject } from '../../flags/projects/index.ts'
import type { Experiment } from '../../model/experiments/index.ts'
import { codeErrorRoutes } from '../code-errors/index.ts'
import { historyOf, pastOfRule } from '../counting/index.ts'
import {
  findMeasured,
  lastSummaries,
  type ResultsContext,
  recentFigures,
  resultsSchemas,
  routesOfResults,
} from '../results/index.ts'
import {
  createExperiment,
  deleteExperiment,
  duplicateExperiment,
  experimentEtag,
  updateExperiment,
  whichOf,
} from './actions.ts'
import { contentRoutes } from './content/routes.ts'
import { editorRoutes } from './editor/routes.ts'
import {
  archiveExperiment,
  completeExperiment,
  type Lifecycle,
  type Moved,
  type MoveRequest,
  pauseExperiment,
  publishExperiment,
  startExperiment,
  unarchiveExperiment,
} from './lifecycle/actions.ts'
import {
  declaredWinnerSchema,
  declareWinnerBody,
  movedSchema,
  presentMove,
  publishExperimentBody,
  publishedExperimentSchema,
  startExperimentBody,
} from './lifecycle/schema.ts'
import { phasesOf } from './phases.ts'
import { presenceRoutes } from './presence/routes.ts'
import type { PresenceOnNode } from './presence/worker.ts'
import { presentExperiment, shownDefinition } from './present.ts'
import { previewRoutes } from './previews/routes.ts'
import { experimentQueries, findPlaces, listExperiments } from './queries.ts'
import { experimentScheduleRoutes } from './schedules/routes.ts'
import {
  createExperimentBody,
  duplicateExperimentBody,
  experimentFilters,
  experimentSchema,
  phasesField,
  recentFiguresSchema,
  updateExperimentBody,
} from './schema.ts'
import { alsoToCreate, writes } from './scopes.ts'
import { trialRoutes } from './trial/routes.ts'
import { declareWinner } from './winner/actions.ts'

interface Context extends Lifecycle, ResultsContext {
  cursors: Cursors
  presence: PresenceOnNode
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function experimentRoutes(route: Route, { cursors, ...context }: Context): void {
  const { db } = context
  const { url, one } = nounRoutes(route, {
    name: 'Experiment',
    one: 'an experiment',
    many: 'experiments',
    scopes: { read: 'experiments:read', write: writes.scope },
    writesAlsoNeed: { ofProject: alsoToCreate, ofOne: writes.alsoNeeds },
    filters: experimentFilters,
    data: experimentSchema,
    cursors,
    db,
    findProject,
    queries: { ...experimentQueries, list: listExperiments },
    present,
    etag: experimentEtag,
    opensToEditors: true,
    create: {
      text: 'Creates an A/B rule in the draft of the flag, with its switch off, or adopts the rule in `ruleId`. Nothing reaches visitors until the launch.',
      body: createExperimentBody,
      act: ({ found: project, by, body }) => createExperiment(db, by, project, body),
    },
    update: {
      text: 'After the launch, what is tested is staged until it is published. The name, hypothesis, description, tags and `autoPause` change at once.',
      body: updateExperimentBody,
      act: ({ caller, found, by, body, ifMatch }) => updateExperiment(db, by, ifMatch, whichOf(caller, found), body),
    },
    texts: {
      delete:
        'Only a draft or an archived experiment can be deleted. Its rule is removed from the draft. A rule that was adopted becomes a plain rule again, unless the experiment was completed.',
    },
    remove: ({ caller, found, by, ifMatch }) => deleteExperiment(context, by, ifMatch, whichOf(caller, found)),
  })

  const move = (verb: string, description: string) => ({
    ...one,
    method: 'POST' as const,
    url: `${url}/${verb}`,
    operationId: `${verb}Experiment`,
    summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} an experiment`,
    description,
    ...writes,
    data: movedSchema,
    conditional: true as const,
  })
  const answerOf = (moved: Moved | Refusal) => (isRefusal(moved) ? moved : { data: presentMove(moved) })

  for (const { verb, description } of starts)
    route({
      ...move(verb, description),
      body: startExperimentBody,
      refusals: ['schedule_pending'],
      async handle({ caller, found, by, body, ifMatch }) {
        const request = { which: whichOf(caller, found), ifMatch }
        return answerOf(await startExperiment(context, by, request, verb, body ?? { dryRun: false }))
      },
    })

  for (const { verb, description, act } of moves)
    route({
      ...move(verb, description),
      async handle({ caller, found, by, ifMatch }) {
        return answerOf(await act(context, by, { which: whichOf(caller, found), ifMatch }))
      },
    })

  route({
    ...one,
    method: 'POST',
    url: `${url}/publish`,
    operationId: 'publishExperiment',
    summary: 'Publish the staged changes of an experiment',
    description:
      'Publishes all staged changes of the flag in the environment. If nothing is staged, `changed` is false. To publish only what you have seen, send the ETag of the staged changes of the flag as `X-Svc-If-Match`. The ETag of the experiment works too.',
    ...writes,
    body: publishExperimentBody,
    data: publishedExperimentSchema,
    refusals: ['reassignment_unconfirmed'],
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      const request = body ?? { comment: null, newPhase: false, dryRun: false, confirmReassignment: false }
      const published = await publishExperiment(context, by, ifMatch, whichOf(caller, found), request)
      return isRefusal(published) ? published : { data: { ...presentMove(published), changes: published.changes } }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/duplicate`,
    operationId: 'duplicateExperiment',
    summary: 'Duplicate an experiment',
    description:
      'Creates a draft of the same test with a rule of its own, at the end of the rules. Visitors are bucketed again. A completed experiment is duplicated as it ran, any other experiment as drafted. If its exclusion group was deleted, the draft has no group.',
    ...writes,
    body: duplicateExperimentBody,
    data: experimentSchema,
    etag: true,
    status: 201,
    async handle({ caller, found, by, body }) {
      const { id, projectId } = found
      const project = { id: projectId, orgId: caller.organization.id }
      const copy = await duplicateExperiment(db, by, project, { id, envId: body?.envId })
      return isRefusal(copy) ? copy : { data: (await present([copy], caller))[0]!, etag: experimentEtag(copy) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/winner`,
    operationId: 'declareWinner',
    summary: 'Declare the winner of an experiment',
    description:
      'Ends the experiment. With `rollOut`, a delivery rule replaces the test, in the draft and live: everyone in the audience gets the winner. A winner can be declared again until it is rolled out or the experiment is archived. If nothing changes, `changed` is false.',
    ...writes,
    body: declareWinnerBody,
    data: declaredWinnerSchema,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      const declared = await declareWinner(context, by, ifMatch, whichOf(caller, found), body)
      if (isRefusal(declared)) return declared
      const { winner, changes } = declared
      return { data: { ...presentMove(declared), winner, changes } }
    },
  })

  experimentScheduleRoutes(route, { db, one, url })
  contentRoutes(route, { db, one, url })
  trialRoutes(route, { db, now: context.now, one, url })
  previewRoutes(route, { db, now: context.now, cursors, one, url })
  editorRoutes(route, { db, now: context.now, one })
  presenceRoutes(route, { presence: context.presence, one })
  codeErrorRoutes(route, { db, one, url })

  route({
    ...one,
    method: 'GET',
    url: `${url}/recent-figures`,
    operationId: 'getRecentFigures',
    summary: 'Get recent figures for the size of an experiment',
    description:
      'Returns what tests of the environment measured in the last 14 days: new visitors per day, and the metrics of the experiment. The figures come from a rule of the same flag if there is one, otherwise from the rule with the most visitors. Visitors who still have time to convert count only if there are no others.',
    scope: 'results:read',
    data: recentFiguresSchema,
    async handle({ found }) {
      const place = (await findPlaces(db, [found.id])).get(found.id)!
      const { primary, secondary, guardrails } = shownDefinition(found, place).metrics
      const { projectId, envId, flagId } = found
      const planned = { projectId, envId, flagId, metricKeys: [...primary, ...secondary, ...guardrails] }
      return { data: await recentFigures(db, planned, context.now()) }
    },
  })

  routesOfResults(route, context, {
    name: 'Experiment',
    whose: 'an experiment’s',
    url: `${url}/results`,
    params: one.params,
    async find(params, caller) {
      const experiment = await one.find(params, caller)
      if (!experiment) return undefined
      const { id, projectId, type, flagId, envId, ruleId, launchedAt, winner } = experiment
      const measured = await findMeasured(db, caller.organization.id, { projectId, flagId, ruleId }, findTestedFlag)
      const ended = { projectId, flagId, envId, ruleId, launched: launchedAt !== null, rule: undefined }
      const { phases } = historyOf(launchedAt ? await pastOfRule(db, { ruleId, flagId, envId }) : [])
      const shown = { experimentId: id, flagId: type === 'WEB' ? null : flagId, winner, phases: phasesOf(phases) }
      return { ...(measured ?? ended), extra: shown }
    },
    schemas: resultsSchemas('Experiment', {
      experimentId: experimentSchema.shape.id,
      flagId: experimentSchema.shape.flagId,
      winner: experimentSchema.shape.winner,
      phases: phasesField,
    }),
  })

  async function present(rows: Experiment[], { scopes }: Pick<Caller, 'scopes'>) {
    const ids = rows.map(({ id }) => id)
    const launched = rows.filter(({ launchedAt }) => launchedAt !== null).map(({ ruleId }) => ruleId)
    const readable = holdsScope(scopes, 'results:read') ? launched : []
    const [places, summaries] = await Promise.all([findPlaces(db, ids), lastSummaries(db, readable)])
    return rows.map((row) => presentExperiment(row, places.get(row.id)!, summaries.get(row.ruleId)))
  }
}

interface Move {
  verb: string
  description: string
  act: (context: Lifecycle, by: Author, request: MoveRequest) => Promise<Moved | Refusal>
}

const starts = [
  {
    verb: 'launch',
    description:
      'Publishes the draft of this rule and its allowlist, and serves the rule before the call returns. Other staged changes stay staged. While the flag is paused in the environment, the answer is 409 with `details.missing`.',
  },
  { verb: 'resume', description: 'Every visitor gets the same variation as before the pause.' },
] as const

const moves: readonly Move[] = [
  {
    verb: 'pause',
    description: 'Visitors then get what the other rules and the default give them. Scheduled runs are suspended.',
    act: pauseExperiment,
  },
  {
    verb: 'complete',
    description: 'Ends the experiment for good and keeps what ran. To test again, duplicate it.',
    act: completeExperiment,
  },
  {
    verb: 'archive',
    description: 'Archives an experiment that is not running. Its rule stays paused.',
    act: archiveExperiment,
  },
  {
    verb: 'unarchive',
    description:
      'Restores the status that the experiment had. A web experiment serves a winner that was rolled out again, at once.',
    act: unarchiveExperiment,
  },
]
