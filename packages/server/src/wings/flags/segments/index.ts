export { segmentRoutes } from './routes.ts'
