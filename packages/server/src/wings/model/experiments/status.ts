export const experimentStatuses = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const

export type ExperimentStatus = (typeof experimentStatuses)[number]

/** `served`: visitors get the rule now. `launched`: they have been served at some time. */
export type ExperimentFact = 'archived' | 'completed' | 'served' | 'launched'

/** The first row whose fact is true gives the status. `experimentStatus` in queries.ts applies it in SQL. */
export const experimentLadder: readonly { fact: ExperimentFact; status: ExperimentStatus }[] = [
  { fact: 'archived', status: 'ARCHIVED' },
  { fact: 'completed', status: 'COMPLETED' },
  { fact: 'served', status: 'RUNNING' },
  { fact: 'launched', status: 'PAUSED' },
]

export const elseDraft: ExperimentStatus = 'DRAFT'

/** The status is not stored, so it cannot contradict what visitors get. */
export const experimentStatusOf = (facts: Record<ExperimentFact, boolean>): ExperimentStatus =>
  experimentLadder.find(({ fact }) => facts[fact])?.status ?? elseDraft

/** An experiment as events name it. If nothing moved, both statuses are the same. */
export interface ExperimentSummary {
  id: string
  shortId: number
  name: string
  status: ExperimentStatus
  previousStatus: ExperimentStatus
}

/** A web experiment, in the place of its hidden flag. */
export interface HiddenOf {
  id: string
  shortId: number
  name: string
  ruleId: string
}

/** An experiment that owns a rule and is neither completed nor archived. */
export interface Owner {
  id: string
  shortId: number
  name: string
  ruleId: string
  launched: boolean
}

/** An experiment that did not move, after a transaction that leaves its rule served or not. */
export function standingOwner({ id, shortId, name, launched }: Owner, served: boolean): ExperimentSummary {
  const status = experimentStatusOf({ archived: false, completed: false, served, launched })
  return { id, shortId, name, status, previousStatus: status }
}

export type Move = Extract<ExperimentStatus, 'RUNNING' | 'PAUSED'>

/** The new status of an experiment whose rule starts or stops being served, and the event about it. */
export function movedOwner({ id, shortId, name, launched }: Owner, isServed: boolean) {
  const experiment = (status: Move, previousStatus: ExperimentStatus): ExperimentSummary => ({
    ...{ id, shortId, name, status, previousStatus },
  })
  if (!isServed) return { name: 'experiment.paused', experiment: experiment('PAUSED', 'RUNNING') } as const
  return launched
    ? ({ name: 'experiment.resumed', experiment: experiment('RUNNING', 'PAUSED') } as const)
    : ({ name: 'experiment.launched', experiment: experiment('RUNNING', 'DRAFT') } as const)
}
