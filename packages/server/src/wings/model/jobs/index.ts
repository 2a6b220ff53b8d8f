export { announceFailed, announceMissed, jobBody, recordJob } from './actions.ts'
export { jobSchema, presentJob } from './schema.ts'
