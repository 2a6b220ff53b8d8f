import { jobKindNames } from '../../../catalogue/jobs.ts'

/** What people call a job: what it does, and with what. */
export const jobName = (kind: string, source: string): string => `${jobKindNames[kind] ?? kind}: ${source}`
