import type { z } from 'zod'
import { isRefusal, notFound, type Refusal } from '../../../../catalogue/refusals.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { explainEvaluation } from '../../../flags/explain/index.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { contextOfPage, pagesThatHold } from '../../../model/web/index.ts'
import { hiddenKey } from '../actions.ts'
import { contentOfVersion } from '../content/content.ts'
import { findPlaces } from '../queries.ts'
import type { trialBody, trialSchema } from './schema.ts'

/** What an experiment does for a visitor on an address. It changes nothing and counts nobody. */
export async function tryExperiment(
  db: Db,
  experiment: Experiment,
  { url, context: visitor, version }: z.output<typeof trialBody>,
  now: Date,
): Promise<z.input<typeof trialSchema> | Refusal> {
  const { id, envId, shortId, launchedAt } = experiment
  const place = (await findPlaces(db, [id])).get(id)
  if (!place) return notFound('Experiment')
  // What the site sets comes first, as on a page.
  const context = { ...contextOfPage(url), ...visitor }
  const draft = version === 'DRAFT'
  const { pages } = contentOfVersion(experiment, place, version)
  const asked = { envId, context, flagKeys: [hiddenKey(shortId)], draft, everyRule: draft }
  const evaluated = await explainEvaluation(db, { ...asked, current: 0, at: undefined, revision: undefined }, now)
  if (isRefusal(evaluated)) return evaluated
  // Nobody gets anything before the launch.
  const holds = draft || launchedAt !== null ? pagesThatHold(pages, context) : []
  return { pages: holds, evaluation: evaluated.flags[0]! }
}
