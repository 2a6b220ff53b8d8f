export { hashOfUnit } from './error.ts'
export { forgetVisitors } from './queries.ts'
export { codeErrorRoutes } from './routes.ts'
export { type CodeErrors, codeErrorSweeps, codeErrors } from './worker.ts'
