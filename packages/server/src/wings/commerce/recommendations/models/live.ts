import type { Model } from '@svc/recommend'
import type { Refusal } from '../../../../catalogue/refusals.ts'
import type { Tx } from '../../../../platform/db/index.ts'
import type { Jobs } from '../../../../platform/jobs/index.ts'
import type { Author } from '../../../../platform/outbox.ts'

/** How products are chosen. All but `RECENTLY_VIEWED` answer from a model. */
export const strategies = [
  'POPULAR',
  'TRENDING',
  'VIEWED_TOGETHER',
  'BOUGHT_TOGETHER',
  'SIMILAR',
  'FOR_YOU',
  'RECENTLY_VIEWED',
  'IMPORTED',
] as const

export type Strategy = (typeof strategies)[number]

/** The strategies that have models. */
export type ModelStrategy = Exclude<Strategy, 'RECENTLY_VIEWED'>

/** The active run of a model, as this node holds it. It never changes: a newer run is a new object. */
export interface LiveModel {
  /** Of the model, not of the run. */
  id: string
  /** Unique in its project, and never changes. */
  key: string
  strategy: Strategy
  runNumber: number
  /**
   * A model of `FOR_YOU` has two entries with the same id: `SESSIONS`, and after it `NEIGHBOURS`, for visitors for whom
   * sessions have nothing. All others have one entry.
   */
  model: Model
}

/** The active models of projects in the memory of this node. */
export interface LiveModels {
  /**
   * The active models of a project, those activated last first. A list never changes: a notice replaces it whole, and the
   * old one serves until the new one is complete. Empty until `ready`, and for a project without active models.
   */
  of(projectId: string): readonly LiveModel[]
  /**
   * Resolves at once if this node holds the models of the project, otherwise after it has read them. From then on it keeps
   * them up to date. Rejects if the database does not answer; the next call tries again.
   */
  ready(projectId: string): Promise<void>
}

/** What a model is called, and by which id it is found. */
export interface ModelName {
  id: string
  key: string
}

/**
 * Makes the model that a strategy lacks in a project, in the transaction of whoever names the strategy, and queues its
 * first run. Its key is the strategy in lower case with hyphens. `POPULAR` and `TRENDING` run hourly, all others nightly.
 * Those that need a dataset get the dataset `behaviour`, which is made likewise. Audit entries and events are written as
 * for models that people make.
 *
 * Call it with the row of the project locked (`inProject`), before the row of a placement is written. It returns the
 * newest model of the strategy if there is one; null for `RECENTLY_VIEWED`, which needs none; and a refusal if the
 * project has no room for a model, or for `IMPORTED`, which nobody but a person can give a dataset.
 *
 * `retentionMs` is how long events are kept; default: 90 days. It is `modelOfStrategyIn` of `actions.ts`.
 */
export type ModelOfStrategyIn = (
  tx: Tx,
  context: { jobs: Jobs; retentionMs?: number },
  by: Author,
  project: { orgId: string; id: string },
  strategy: Strategy,
) => Promise<ModelName | null | Refusal>
