export { stagedRoutes } from './routes.ts'
