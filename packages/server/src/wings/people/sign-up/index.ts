export { joinByInvitation } from './actions.ts'
export { signUpRoutes } from './routes.ts'
