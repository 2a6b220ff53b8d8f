import { holdsScope } from '../../../catalogue/scopes.ts'
import type { Route } from '../../../http/route.ts'
import type { OneOf } from '../../../nouns/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Experiment } from '../../model/experiments/index.ts'
import { lastSnapshot } from '../results/index.ts'
import { errorsOf } from './queries.ts'
import { codeErrorsSchema } from './schema.ts'

interface Context {
  db: Db
  one: OneOf<Experiment>
  /** The address of one experiment. */
  url: string
}

export function codeErrorRoutes(route: Route, { db, one, url }: Context): void {
  route({
    ...one,
    method: 'GET',
    url: `${url}/errors`,
    operationId: 'listCodeErrors',
    summary: 'List the errors of the code of an experiment',
    description:
      'Returns what the code of variations has thrown on pages of visitors in the last 30 days. An error counts for a visitor only if the data file gives the visitor this variation, or can have given it: visitors of sticky experiments keep theirs.',
    scope: 'experiments:read',
    data: codeErrorsSchema,
    /** An experiment of a flag has no code. */
    async find(params: Parameters<typeof one.find>[0], caller) {
      const experiment = await one.find(params, caller)
      return experiment?.type === 'WEB' ? experiment : undefined
    },
    async handle({ found, caller }) {
      // Together with the number of visitors, the share tells how many the variation has.
      const snapshot = holdsScope(caller.scopes, 'results:read') ? await lastSnapshot(db, found.ruleId) : undefined
      const units = new Map(snapshot?.document.units.variations.map((each) => [each.variationId, each.units]))
      const errors = await errorsOf(db, found.id)
      return {
        data: errors.map(({ variationId, firstSeenAt, lastSeenAt, ...error }) => {
          const all = units.get(variationId) ?? 0
          return {
            ...error,
            share: all > 0 ? Math.min(1, error.visitors / all) : null,
            firstSeenAt: firstSeenAt.toISOString(),
            lastSeenAt: lastSeenAt.toISOString(),
          }
        }),
      }
    },
  })
}
