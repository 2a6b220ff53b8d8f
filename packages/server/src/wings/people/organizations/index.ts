export { switchOnFeatures } from './actions.ts'
export { insertOrganization, lockOrganization, numberProject, updateOrganizationName } from './queries.ts'
export { organizationRoutes } from './routes.ts'
export { notificationsField } from './schema.ts'
