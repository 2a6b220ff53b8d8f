export { type Audience, audienceQueries } from './queries.ts'
export { audienceRoutes } from './routes.ts'
