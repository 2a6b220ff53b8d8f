import { ApiError } from '@svc/client'

/** Whether the service refused a write because somebody else was quicker: it is of an older version. */
export const wasOvertaken = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'precondition_failed'
