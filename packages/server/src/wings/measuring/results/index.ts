export { resultRoutes } from './routes.ts'
