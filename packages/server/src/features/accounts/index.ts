export { hashPassword } from './password.ts'
export {
  findOrganizationByName,
  findRoleByName,
  findUserByEmail,
  hasOrganizations,
  insertMembership,
  insertOrganization,
  insertRole,
  insertUser,
} from './queries.ts'
export { accountRoutes } from './routes.ts'
