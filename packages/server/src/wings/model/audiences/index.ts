export {
  holdAudiences,
  lockReferenced,
  lockStagedAudiences,
  type StagedAudience,
  stagedAudiences,
  takeAudiencesLive,
} from './queries.ts'
