export { announceFailed, announceMissed, jobBody, recordJob, refusesApply, refusesApplyAgain } from './actions.ts'
export { jobSchema, presentJob } from './schema.ts'
