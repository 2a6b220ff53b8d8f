export { announceFailed, announceMissed, recordJob } from './actions.ts'
export { jobSchema, presentJob } from './schema.ts'
