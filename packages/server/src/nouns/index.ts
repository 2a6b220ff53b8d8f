export { type Noun, nounActions, type On, type States } from './actions.ts'
export { nounQueries } from './queries.ts'
export { nounRoutes } from './routes.ts'
