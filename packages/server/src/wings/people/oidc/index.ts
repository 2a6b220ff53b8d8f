export type { OidcContext } from './actions.ts'
export { oidcRoutes } from './routes.ts'
