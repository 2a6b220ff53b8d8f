export { sourceRoutes } from './routes.ts'
