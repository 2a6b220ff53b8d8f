export { fanOutToAll } from './actions.ts'
export { linkSecret, unsubscribeUrl } from './link.ts'
export { subscriptionRoutes, unsubscribeRoutes } from './routes.ts'
