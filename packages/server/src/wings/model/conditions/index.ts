export { conditionField, conditionIssues, conditionSchema } from './conditions.ts'
export { segmentOf } from './segment.ts'
