export { fanOutToAll } from './actions.ts'
export { linkSecret, unsubscribeUrl } from './link.ts'
export { addressOf } from './queries.ts'
export { subscriptionRoutes, unsubscribeRoutes } from './routes.ts'
