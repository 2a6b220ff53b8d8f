import type { Data } from '@svc/client'

type JobStatus = Data<'/api/v1/projects/{projectId}/commerce/jobs/{jobId}', 'get'>['status']

export const jobStatuses = [
  ...(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'HELD'] as const satisfies JobStatus[]),
]

/** The filter and the open panel, in the address. */
export interface JobSearch {
  status?: JobStatus
  panel?: string
}

export function jobSearch({ status, panel }: Record<string, unknown>): JobSearch {
  const known = jobStatuses.find((each) => each === status)
  return { ...(known && { status: known }), ...(typeof panel === 'string' && { panel }) }
}
