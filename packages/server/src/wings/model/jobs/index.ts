export { announceFailed, recordJob } from './actions.ts'
export { jobKindNames } from './name.ts'
export { jobSchema, presentJob } from './schema.ts'
