export {
  type AuthorAs,
  authenticator as sessionAuthenticator,
  type Browser,
  isSignedIn,
  leaveSession,
  renewSession,
  type SignInContext,
  type StartedSession,
  signedIn,
  signedInSessions,
} from './actions.ts'
export { deleteSessionsOf } from './queries.ts'
export { type StandingContext, sessionRoutes, standing } from './routes.ts'
export { codeField, emailField, givenPasswordField, linkField, standingSchema } from './schema.ts'
export { sessionSweep, sessionUses } from './worker.ts'
