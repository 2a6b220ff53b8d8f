export { announceFailed, announceMissed, jobBody, recordJob, refusesApply } from './actions.ts'
export { jobSchema, presentJob } from './schema.ts'
