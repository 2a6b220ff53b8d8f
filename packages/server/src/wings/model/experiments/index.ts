export { testChanges } from './changes.ts'
export { refusesOwned, refusesWithExperiments } from './owner.ts'
export {
  type AutoPause,
  type Experiment,
  type ExperimentReference,
  experimentColumns,
  experimentOfRule,
  experimentStatus,
  hasNoSlot,
  isLaunched,
  launchedExperiments,
  ownersIn,
  ownersOf,
  unarchivedExperiments,
  type Winner,
} from './queries.ts'
export {
  type ExperimentStatus,
  type ExperimentSummary,
  experimentStatuses,
  movedOwner,
  type Owner,
  standingOwner,
} from './status.ts'
