export { type Difference, isSameOrder } from '../../../difference.ts'
export {
  authoredChanges,
  authorOf,
  authorshipAfter,
  type EditedBy,
  editOf,
  type StagedChange,
  withDraft,
} from './authorship.ts'
export { copyRules, copyVersion } from './copy.ts'
export {
  differences,
  droppedRules,
  hasStagedChanges,
  type Staged,
  stagedBetween,
  stagedRuleSummaries,
  stagedRules,
  webOf,
  webPrefix,
  withWeb,
} from './difference.ts'
export { discarded } from './discard.ts'
export { placeAmong } from './placement.ts'
export { movedShare, type Reassignment, reassignments, reassigns } from './reassignment.ts'
export { conditionReferences, namesSame, type Reference, ruleReferences, unknownReferences } from './references.ts'
export { defaultSalt } from './salt.ts'
export {
  elseStatus,
  type FlagKind,
  type FlagStatus,
  type FlagSummary,
  type StatusFacts,
  statusLadder,
  statusOf,
} from './status.ts'
export { pause, refusesTransition, run, takenLive, withRuleLive, withTestLive } from './transitions.ts'
export {
  type AbTestRule,
  type AllowlistEntry,
  type Authorship,
  type DeliveryRule,
  describeAllowlist,
  describeOverrides,
  describeRule,
  type Edit,
  type Exclusion,
  type FlagEnvironment,
  firstVersion,
  type HeldOut,
  noOverrides,
  type Overrides,
  overrideCount,
  type RuleDefinition,
  type RuleSummary,
  referencesTo,
  ruleSummary,
  type Statistics,
  statisticsOf,
  type Version,
  variationKey,
  withoutRule,
} from './version.ts'
