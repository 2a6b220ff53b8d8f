export { hashOfUnit } from './error.ts'
export { forgetVisitors, isServedCode } from './queries.ts'
export { codeErrorRoutes } from './routes.ts'
export { type CodeErrors, codeErrorSweeps, codeErrors } from './worker.ts'
