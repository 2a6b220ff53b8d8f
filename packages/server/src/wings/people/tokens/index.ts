export { authenticator, revokePersonalTokens, revokeTokensOfFirstStart } from './actions.ts'
export {
  findInitialToken,
  type InitialToken,
  insertToken,
  listActivePersonalTokens,
  type PersonalToken,
} from './queries.ts'
export {
  type PersonalTokenContext,
  personalTokenRoutes,
  type ServiceTokenContext,
  serviceTokenRoutes,
} from './routes.ts'
export { hashOf, isSecret } from './secret.ts'
export { lifetimesMs } from './token.ts'
export { type ExpiryWarnings, expiryWarnings, type LastUses, lastUses } from './worker.ts'
