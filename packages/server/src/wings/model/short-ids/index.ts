export { takeShortIds } from './queries.ts'
