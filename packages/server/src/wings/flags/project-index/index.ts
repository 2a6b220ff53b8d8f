export { projectIndexRoute } from './routes.ts'
