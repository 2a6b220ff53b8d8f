export { switchFeatures } from './actions.ts'
export {
  insertOrganization,
  listOrganizations,
  lockOrganization,
  numberProject,
  type OrganizationRow,
  updateOrganizationName,
} from './queries.ts'
export { organizationRoutes } from './routes.ts'
export { notificationsField } from './schema.ts'
