import { IconWebhook } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project, textIn } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import type { DeliverySearch } from './webhooks/delivery-search.ts'

const webhooks = createRoute({
  getParentRoute: () => project,
  path: 'integrations/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => project,
  path: 'integrations/webhooks/$webhook',
  validateSearch: (search): DeliverySearch => ({
    ...textIn(search, 'status'),
    ...textIn(search, 'event'),
    ...textIn(search, 'since'),
    ...textIn(search, 'delivery'),
  }),
  component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
})

export const routes = { project: [webhooks, webhook] }

export const navigation: NavigationRow[] = [
  {
    level: 'project',
    slot: 'integrations',
    label: 'Webhooks',
    to: '/$org/$project/integrations/webhooks',
    Icon: IconWebhook,
  },
]

const path = '/api/v1/projects/{projectId}/webhooks'

export const refreshes: Refreshes = {
  webhook: [path, `${path}/{webhookId}`, `${path}/{webhookId}/deliveries`],
}
