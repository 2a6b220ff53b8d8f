export { insertEnvironment, notingHeartbeat, saveEnvironment, savingRevisions } from './queries.ts'
