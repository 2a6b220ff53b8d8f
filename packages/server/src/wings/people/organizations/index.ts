export { switchOnFeatures } from './actions.ts'
export { lockOrganization } from './queries.ts'
export { organizationRoutes } from './routes.ts'
export { notificationsField } from './schema.ts'
