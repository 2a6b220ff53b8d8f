export { checkPassword, createOrganization, proveOwnPassword, recordOfPerson, sealPassword } from './actions.ts'
export { limits } from './limits.ts'
export { membershipOf } from './membership.ts'
export { type AccountChange, noticeMail } from './notice.ts'
export { hashPassword } from './password.ts'
export { passwordProblem } from './password-rules.ts'
export {
  type Account,
  addProjects,
  administratorsOf,
  clearFactor,
  confirmFactor,
  deleteMembership,
  deleteOtherProjects,
  findAccount,
  findAccountByEmail,
  findOrganizationByName,
  findRoleByName,
  findUserByEmail,
  hasOrganizations,
  hasOwner,
  insertMembership,
  insertUser,
  isAdministratorRole,
  lockAccount,
  lockOrganizationWithoutMembers,
  memberSees,
  organizationsOfPerson,
  type StoredMembership,
  saveMembership,
  setFactor,
  showToCreator,
  storedMemberships,
  updateEmail,
  updatePasswordHash,
  updatePersonName,
  useStep,
} from './queries.ts'
export { accountRoutes, profileRoutes } from './routes.ts'
