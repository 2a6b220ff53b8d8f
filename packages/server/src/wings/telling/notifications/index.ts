export { type NotificationFilter, passes } from './filter.ts'
export { dueAfter, type Times, type Wanted } from './quiet.ts'
export { notificationRoutes } from './routes.ts'
