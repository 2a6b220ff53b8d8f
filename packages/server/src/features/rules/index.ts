export { ruleRoutes } from './routes.ts'
export { ruleStatus } from './rule.ts'
