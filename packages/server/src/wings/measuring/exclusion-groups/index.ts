export { exclusionGroupRoutes } from './routes.ts'
