export type { ErrorCode, Evaluation, Reason } from './answer.ts'
export { notReady } from './answer.ts'
export type { Clock } from './attribute.ts'
export { userOf } from './attribute.ts'
export { bucket, bucketCount } from './bucketing/bucket.ts'
export { hashedIdDigits, hashId } from './bucketing/hashed-id.ts'
export { murmur3, murmur3Bytes } from './bucketing/murmur3.ts'
export { parseBlock } from './conditions/cidr.ts'
export type { ConditionIssue } from './conditions/condition-rules.ts'
export { conditionIssues } from './conditions/condition-rules.ts'
export type { AttributeCondition, Condition, ConditionValue, Predicate, Segment } from './conditions/conditions.ts'
export { compileCondition } from './conditions/conditions.ts'
export { parseDate } from './conditions/date.ts'
export { nearest } from './conditions/nearest.ts'
export { negations } from './conditions/negations.ts'
export type { Operator, OperatorGroup } from './conditions/operators.ts'
export { operators } from './conditions/operators.ts'
export { searchedPattern } from './conditions/rare-operators.ts'
export { compareVersions, parseVersion } from './conditions/semver.ts'
export { counted } from './counted.ts'
export type {
  DataFile,
  DeliveryRule,
  ExclusionGroup,
  Flag,
  FlagType,
  Holdout,
  JsonValue,
  Rule,
  TestRule,
} from './datafile.ts'
export { maxDataFileBytes, parseDataFile, ruleDefaults, schemaVersion } from './datafile.ts'
export type { EvaluationContext, Evaluator } from './evaluate.ts'
export { compile } from './evaluate.ts'
export { isRounded } from './exact-number.ts'
export type { Explanation, FailedCondition, RuleExplanation, RuleOutcome } from './explain.ts'
export { explain, failedConditions } from './explain.ts'
export { isForPage } from './for-page.ts'
export { needsRare } from './needs-rare.ts'
export { pageContext } from './page-context.ts'
export { loadRare } from './rare.ts'
export { own } from './record.ts'
export type { Keep } from './rule.ts'
export {
  deliveryHeaders,
  formatSignature,
  parseSignature,
  parseSignatureTimestamp,
  signatureContent,
  signatureHead,
} from './signature.ts'
export { unitOfAnswer } from './unit-of-answer.ts'
export { isVisible, oneName } from './visible.ts'
