export { conditionField, conditionSchema } from './conditions.ts'
export { ruleRoutes } from './routes.ts'
export { maxRulesPerEnvironment, ruleStatus } from './rule.ts'
export { ruleDefinitionSchema } from './schema.ts'
