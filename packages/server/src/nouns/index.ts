export { type Called, type Noun, namesIn, newRow, nounActions, type On, recordedAs, type States } from './actions.ts'
export { type NounQueries, nounQueries } from './queries.ts'
export { nounRoutes, type OneOf } from './routes.ts'
