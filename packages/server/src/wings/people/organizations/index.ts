export { switchFeatures } from './actions.ts'
export {
  findOrganization,
  insertOrganization,
  listOrganizations,
  lockOrganization,
  numberProject,
  type OrganizationRow,
  updateOrganizationName,
} from './queries.ts'
export { notificationSettingsOf, organizationRoutes } from './routes.ts'
export { notificationSettingsSchema, notificationsField } from './schema.ts'
