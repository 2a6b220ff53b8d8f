export { newPasswordHash, type PasswordContext } from './actions.ts'
export { passwordRoutes } from './routes.ts'
