export { attentionRoute } from './routes.ts'
