export { experimentChanges, pathsOfFlag, testChanges } from './changes.ts'
export { refusesOwned, refusesWithExperiments } from './owner.ts'
export {
  type AutoPause,
  type Experiment,
  type ExperimentReference,
  experimentColumns,
  experimentOfRule,
  experimentStatus,
  findHidden,
  hasNoSlot,
  isLaunched,
  launchedExperiments,
  ownersIn,
  ownersOf,
  unarchivedExperiments,
  type Winner,
  webExperimentOf,
} from './queries.ts'
export {
  type ExperimentStatus,
  type ExperimentSummary,
  experimentStatuses,
  type HiddenOf,
  movedOwner,
  type Owner,
  standingOwner,
} from './status.ts'
