export { holdAudiences, lockReferenced, type StagedAudience, stagedAudiences, takeAudiencesLive } from './queries.ts'
