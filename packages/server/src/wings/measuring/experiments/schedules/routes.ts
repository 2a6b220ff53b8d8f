import { z } from 'zod'
import { scheduleSchema } from '../../../../catalogue/payloads.ts'
import { isRefusal, notFound } from '../../../../catalogue/refusals.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { latestSchedule, presentSchedule, scheduleBody } from '../../../flags/switches/index.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { experimentEtag, targetOf, whichOf } from '../actions.ts'
import { writes } from '../scopes.ts'
import { scheduleExperiment, unscheduleExperiment } from './actions.ts'

interface Context {
  db: Db
  one: OneOf<Experiment>
  /** The address of one experiment. */
  url: string
}

export function experimentScheduleRoutes(route: Route, { db, one, url }: Context): void {
  const schedule = { ...one, url: `${url}/schedule` }

  route({
    ...schedule,
    method: 'GET',
    operationId: 'getExperimentSchedule',
    summary: 'Get the schedule of an experiment',
    description:
      'Returns the open schedule (`PENDING` or `SUSPENDED`), or else the one that ended last, with the ETag of the experiment. The response is 404 if there never was one.',
    scope: 'experiments:read',
    data: scheduleSchema,
    etag: true,
    async handle({ found: experiment }) {
      const latest = await latestSchedule(db, targetOf(experiment))
      return latest ? { data: presentSchedule(latest), etag: experimentEtag(experiment) } : notFound('Schedule')
    },
  })

  route({
    ...schedule,
    method: 'PUT',
    operationId: 'setExperimentSchedule',
    summary: 'Schedule an experiment',
    description:
      'A `RUN` launches a draft and resumes a paused experiment; a `PAUSE` pauses it. A run fails if the flag is paused in the environment at that time. There is one open schedule at a time. An earlier one is cancelled, even if it is suspended.',
    ...writes,
    body: scheduleBody,
    data: scheduleSchema,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      const set = await scheduleExperiment(db, by, ifMatch, whichOf(caller, found), body)
      return isRefusal(set) ? set : { data: presentSchedule(set) }
    },
  })

  route({
    ...schedule,
    method: 'DELETE',
    operationId: 'cancelExperimentSchedule',
    summary: 'Cancel the schedule of an experiment',
    ...writes,
    data: z.null(),
    conditional: true,
    async handle({ caller, found, by, ifMatch }) {
      const cancelled = await unscheduleExperiment(db, by, ifMatch, whichOf(caller, found))
      return isRefusal(cancelled) ? cancelled : { data: null }
    },
  })
}
