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
export { daysOfWeek, notificationSettingsSchema, notificationsField, type QuietHours } from './schema.ts'
