export { type ChainReport, verifyChains } from './actions.ts'
export { findOrganization, hasChains, hasEntry } from './queries.ts'
export { auditRoutes } from './routes.ts'
