import type { Group } from '../command.ts'
import type { ObjectNoun } from '../nouns.ts'
import { api } from './api.ts'
import { apply } from './apply.ts'
import { audience } from './audience.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { catalog } from './catalog.ts'
import { completion } from './completion.ts'
import { dataset } from './dataset.ts'
import { destination } from './destination.ts'
import { doctor } from './doctor.ts'
import { env } from './env.ts'
import { evaluate } from './evaluate.ts'
import { events } from './events.ts'
import { exclusionGroup } from './exclusion-group.ts'
import { experiment } from './experiment.ts'
import { exporting } from './export.ts'
import { flag } from './flag.ts'
import { generate } from './generate.ts'
import { holdout } from './holdout.ts'
import { job } from './job.ts'
import { ingestKey } from './keys/ingest-key.ts'
import { sdkKey } from './keys/sdk-key.ts'
import { metric } from './metric.ts'
import { model } from './model.ts'
import { open } from './open.ts'
import { order } from './order.ts'
import { override } from './override.ts'
import { placement } from './placement.ts'
import { plan } from './plan.ts'
import { project } from './project.ts'
import { publish } from './publish.ts'
import { references } from './references.ts'
import { results } from './results.ts'
import { rule } from './rule.ts'
import { sampleSize } from './sample-size.ts'
import { schedule } from './schedule.ts'
import { segment } from './segment.ts'
import { source } from './source.ts'
import { staged } from './staged.ts'
import { visitor } from './visitor.ts'
import { web } from './web.ts'
import { webhook } from './webhook.ts'

/** The commands of each noun of a project. A noun without commands does not compile. */
const ofNouns = {
  audience,
  segment,
  metric,
  experiment,
  exclusion_group: exclusionGroup,
  holdout,
  catalog_source: source,
  dataset,
  recommendation_model: model,
  placement,
  webhook,
  destination,
} satisfies Record<ObjectNoun, Group>

/** Every group of commands, in the order of help and docs. A new one is a file here and a line there. */
export const groups: readonly Group[] = [
  auth,
  project,
  flag,
  rule,
  env,
  sdkKey,
  ingestKey,
  publish,
  staged,
  schedule,
  override,
  ...Object.values(ofNouns),
  web,
  results,
  sampleSize,
  evaluate,
  visitor,
  catalog,
  order,
  job,
  audit,
  events,
  exporting,
  plan,
  apply,
  generate,
  references,
  api,
  doctor,
  completion,
  open,
]
