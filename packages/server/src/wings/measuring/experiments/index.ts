export { experimentRoutes } from './routes.ts'
