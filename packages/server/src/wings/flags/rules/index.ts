export { conditionField, conditionSchema } from '../../model/conditions/index.ts'
export { createRule, deleteRule, nameOfCopy, refusesReassignment, updateRule } from './actions.ts'
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
