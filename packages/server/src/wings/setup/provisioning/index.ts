export { firstStart, provision, readProvisioning } from './actions.ts'
export { type Provisioning, provisioningSchema } from './schema.ts'
