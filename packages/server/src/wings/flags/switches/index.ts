export { flip } from './actions.ts'
export { switchRoutes } from './routes.ts'
