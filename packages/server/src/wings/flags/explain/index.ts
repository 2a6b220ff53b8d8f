export { explainRoutes } from './routes.ts'
