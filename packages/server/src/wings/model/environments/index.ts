export {
  insertEnvironment,
  noteRenewed,
  notingHeartbeat,
  orderEnvironments,
  saveEnvironment,
  savingRevisions,
} from './queries.ts'
