export { conditionField, conditionIssues, conditionSchema } from './conditions.ts'
