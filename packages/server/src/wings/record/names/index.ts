export { namesRoute } from './routes.ts'
