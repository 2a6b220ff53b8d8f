export { type NotificationFilter, passes } from './filter.ts'
export { notificationRoutes } from './routes.ts'
