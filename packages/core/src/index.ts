export type { ErrorCode, Evaluation, Reason } from './answer.ts'
export { notReady } from './answer.ts'
export type { Clock } from './attribute.ts'
export { userOf } from './attribute.ts'
export { bucket, bucketCount } from './bucket.ts'
export { parseBlock } from './cidr.ts'
export type { ConditionIssue } from './condition-rules.ts'
export { conditionIssues } from './condition-rules.ts'
export type { AttributeCondition, Condition, ConditionValue, Predicate, Segment } from './conditions.ts'
export { compileCondition } from './conditions.ts'
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
export { parseDate } from './date.ts'
export type { EvaluationContext, Evaluator } from './evaluate.ts'
export { compile } from './evaluate.ts'
export type { Explanation, FailedCondition, RuleExplanation, RuleOutcome } from './explain.ts'
export { explain } from './explain.ts'
export { isForPage } from './for-page.ts'
export { hashedIdDigits, hashId } from './hashed-id.ts'
export { murmur3, murmur3Bytes } from './murmur3.ts'
export { nearest } from './nearest.ts'
export { negations } from './negations.ts'
export type { Operator, OperatorGroup } from './operators.ts'
export { operators } from './operators.ts'
export { loadRare } from './rare.ts'
export { searchedPattern } from './rare-operators.ts'
export { own } from './record.ts'
export type { Keep } from './rule.ts'
export { compareVersions, parseVersion } from './semver.ts'
export {
  deliveryHeaders,
  formatSignature,
  parseSignature,
  parseSignatureTimestamp,
  signatureContent,
  signatureHead,
} from './signature.ts'
export { unitOfAnswer } from './unit-of-answer.ts'
