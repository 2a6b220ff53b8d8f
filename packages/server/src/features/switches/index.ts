export { switchRoutes } from './routes.ts'
