export { type Noun, newRow, nounActions, type On, recordedAs, type States } from './actions.ts'
export { nounQueries } from './queries.ts'
export { nounRoutes, type OneOf } from './routes.ts'
