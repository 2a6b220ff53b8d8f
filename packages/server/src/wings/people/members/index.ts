export { joinOrganization } from './actions.ts'
export { memberRoutes } from './routes.ts'
