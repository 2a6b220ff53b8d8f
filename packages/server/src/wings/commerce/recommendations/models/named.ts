import type { Jobs } from '../../../../platform/jobs/index.ts'
import type { NamedModels } from '../placements/index.ts'
import { modelOfStrategyIn } from './actions.ts'
import { keysOf } from './queries.ts'

/** The models that placements name. Those that a strategy lacks are made, with what they need. */
export const namedModels = (context: { jobs: Jobs; retentionMs: number }): NamedModels => ({
  ofStrategy: (tx, by, project, strategy) => modelOfStrategyIn(tx, context, by, project, strategy),
  keys: keysOf,
})
