export { copyRules, copyVersion } from './copy.ts'
export {
  type Difference,
  differences,
  droppedRules,
  hasStagedChanges,
  type Staged,
  stagedBetween,
  stagedRuleSummaries,
  stagedRules,
} from './difference.ts'
export { placeAmong } from './placement.ts'
export {
  deleteRuleRows,
  environmentsWithStagedChanges,
  type FlagEnvironment,
  findFlagEnvironment,
  findFlagEnvironments,
  findRuleRows,
  flagStatus,
  insertFlagEnvironments,
  insertRuleRows,
  type LockedFlagEnvironment,
  lockFlagEnvironment,
  lockFlagEnvironments,
  lockStaged,
  markPublished,
  type RuleRow,
  saveDraft,
  saveRuleSwitch,
  saveSwitch,
  takeDraftsLive,
  touchRuleRow,
} from './queries.ts'
export { reassigningRules, reassigns } from './reassignment.ts'
export { type FlagStatus, type FlagSummary, statusOf } from './status.ts'
export {
  type AbTestRule,
  type AllowlistEntry,
  type DeliveryRule,
  describeAllowlist,
  describeRule,
  firstVersion,
  noOverrides,
  type Overrides,
  overrideCount,
  type RuleDefinition,
  type RuleSummary,
  referencesTo,
  ruleSummary,
  type Version,
  variationKey,
} from './version.ts'
