import { IconBell, IconWebhook } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project, textIn } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import type { DeliverySearch } from './webhooks/delivery-search.ts'

const webhooks = createRoute({
  getParentRoute: () => project,
  path: 'integrations/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const deliverySearch = (search: Record<string, unknown>): DeliverySearch => ({
  ...textIn(search, 'status'),
  ...textIn(search, 'event'),
  ...textIn(search, 'since'),
  ...textIn(search, 'delivery'),
})

const webhook = createRoute({
  getParentRoute: () => project,
  path: 'integrations/webhooks/$webhook',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const destinations = createRoute({
  getParentRoute: () => project,
  path: 'integrations/destinations',
  component: lazyRouteComponent(() => import('./destinations/destinations-page.tsx'), 'DestinationsPage'),
})

const newDestination = createRoute({
  getParentRoute: () => project,
  path: 'integrations/destinations/new',
  validateSearch: (search): { kind?: string } => textIn(search, 'kind'),
  component: lazyRouteComponent(() => import('./destinations/new-destination-page.tsx'), 'NewDestinationPage'),
})

const destination = createRoute({
  getParentRoute: () => project,
  path: 'integrations/destinations/$destination',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./destinations/destination-page.tsx'), 'DestinationPage'),
})

const editDestination = createRoute({
  getParentRoute: () => project,
  path: 'integrations/destinations/$destination/edit',
  component: lazyRouteComponent(() => import('./destinations/edit-destination-page.tsx'), 'EditDestinationPage'),
})

export const routes = { project: [webhooks, webhook, destinations, newDestination, destination, editDestination] }

export const navigation: NavigationRow[] = [
  {
    level: 'project',
    slot: 'integrations',
    label: 'Webhooks',
    to: '/$org/$project/integrations/webhooks',
    Icon: IconWebhook,
  },
  {
    level: 'project',
    slot: 'destinations',
    label: 'Destinations',
    to: '/$org/$project/integrations/destinations',
    Icon: IconBell,
  },
]

const path = '/api/v1/projects/{projectId}/webhooks'
const destinationsPath = '/api/v1/projects/{projectId}/destinations'

export const refreshes: Refreshes = {
  webhook: [path, `${path}/{webhookId}`, `${path}/{webhookId}/deliveries`],
  destination: [
    destinationsPath,
    `${destinationsPath}/{destinationId}`,
    `${destinationsPath}/{destinationId}/deliveries`,
  ],
}
