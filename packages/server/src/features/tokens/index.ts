export { authenticator } from './actions.ts'
export { insertToken } from './queries.ts'
export { hashOf, isSecret } from './secret.ts'
export { type LastUses, lastUses } from './worker.ts'
