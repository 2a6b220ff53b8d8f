export { createRule, deleteRule, nameOfCopy, refusesReassignment, updateRule } from './actions.ts'
export { conditionField, conditionSchema } from './conditions.ts'
export { ruleRoutes } from './routes.ts'
export {
  type Known,
  maxRulesPerEnvironment,
  metricKeysOf,
  parseRule,
  type RequestedRule,
  ruleStatus,
  takenRuleKeys,
  withFreeKeys,
} from './rule.ts'
export {
  abTestFields,
  newAbTestBody,
  newDeliveryBody,
  type RuleUpdate,
  ruleDefinitionSchema,
  statisticsSchema,
} from './schema.ts'
