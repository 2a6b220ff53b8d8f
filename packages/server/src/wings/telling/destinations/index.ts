export { saveHealth, unreadableSecrets } from './actions.ts'
export { failuresUntilDisabled, type Outcome, toggled } from './health.ts'
export { everySafetyEvent, hears } from './hears.ts'
export type { ChatKind } from './kinds/chat-kind.ts'
export { type KindName, kindNames, kinds } from './kinds/index.ts'
export type { TemplateConfig } from './kinds/template.ts'
export { messageOf } from './messages.ts'
export { type PayloadProject, payloadOf, sourceEntityOf, testPayload } from './payload.ts'
export {
  beginTurns,
  countSealedSecrets,
  deleteOldSecrets,
  disableAllDestinations,
  endAllTurns,
  endTurns,
  findReady,
  insertSecret,
  isOfOrganization,
  lockDestinations,
  type MailedMember,
  membersAmong,
  ownHearer,
  projectOf,
  saveRests,
  subscriptions,
  turnColumns,
} from './queries.ts'
export { digestField, eventField, eventsField } from './schema.ts'
export {
  type JsonTemplate,
  type Template,
  templateMaxLength,
  textsOf,
  unknownPlaceholders,
  withTemplate,
} from './template.ts'
export type { Rest, Turn } from './turn.ts'
