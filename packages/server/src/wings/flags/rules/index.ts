export { conditionField, conditionSchema } from './conditions.ts'
export { ruleRoutes } from './routes.ts'
export { ruleStatus } from './rule.ts'
export { ruleDefinitionSchema } from './schema.ts'
