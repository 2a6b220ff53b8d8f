export { fanOut } from './actions.ts'
export { payloadOf } from './payload.ts'
export { type WebhookContext, webhookRoutes } from './routes.ts'
export { type Attempt, type DeliveryContext, type DeliveryWorker, deliveryWorker, observeDeliveries } from './worker.ts'
