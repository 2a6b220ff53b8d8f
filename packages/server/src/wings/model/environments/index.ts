export { insertEnvironment, noteRenewed, notingHeartbeat, saveEnvironment, savingRevisions } from './queries.ts'
