import { isRefusal } from '../../../../catalogue/refusals.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { tryExperiment } from './actions.ts'
import { trialBody, trialSchema } from './schema.ts'

interface Context {
  db: Db
  now: () => Date
  one: OneOf<Experiment>
  /** The address of one experiment. */
  url: string
}

export function trialRoutes(route: Route, { db, now, one, url }: Context): void {
  route({
    ...one,
    method: 'POST',
    url: `${url}/try`,
    operationId: 'tryExperiment',
    idempotent: false,
    summary: 'Try a web experiment on an address',
    description:
      'Returns which pages of the experiment an address is, and which variation a visitor gets there and why, as `evaluate` does. By default it tries the draft as if it ran. It changes nothing and counts no exposure.',
    scope: 'experiments:read',
    opensToEditors: true,
    body: trialBody,
    data: trialSchema,
    /** An experiment of a flag has no pages. */
    async find(params: Parameters<typeof one.find>[0], caller) {
      const experiment = await one.find(params, caller)
      return experiment?.type === 'WEB' ? experiment : undefined
    },
    async handle({ found, body }) {
      const tried = await tryExperiment(db, found, body, now())
      return isRefusal(tried) ? tried : { data: tried }
    },
  })
}
