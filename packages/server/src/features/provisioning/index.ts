export { firstStart, provision } from './actions.ts'
export { type Provisioning, provisioningSchema } from './schema.ts'
