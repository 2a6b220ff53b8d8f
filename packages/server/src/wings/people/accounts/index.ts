export { checkPassword, createOrganization, proveOwnPassword, recordOfPerson, sealPassword } from './actions.ts'
export { limits } from './limits.ts'
export { membershipOf } from './membership.ts'
export { type AccountChange, noticeMail } from './notice.ts'
export { hashPassword } from './password.ts'
export { passwordProblem } from './password-rules.ts'
export {
  type Account,
  administratorsOf,
  findAccount,
  findAccountByEmail,
  findOrganizationByName,
  findRoleByName,
  findUserByEmail,
  hasOrganizations,
  hasOwner,
  insertMembership,
  insertOrganization,
  insertRole,
  insertUser,
  lockAccount,
  lockOrganizationWithoutMembers,
  organizationsOfPerson,
  type StoredMembership,
  storedMemberships,
  updateOrganizationName,
  updatePasswordHash,
  updatePersonName,
} from './queries.ts'
export { accountRoutes, profileRoutes } from './routes.ts'
