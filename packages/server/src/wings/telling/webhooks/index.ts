export { type SendingContext, webhookKind } from './kind.ts'
export { type WebhookContext, webhookRoutes } from './routes.ts'
