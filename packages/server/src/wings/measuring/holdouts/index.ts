export { holdoutRoutes } from './routes.ts'
