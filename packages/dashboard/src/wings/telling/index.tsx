import { IconBell, IconMail, IconWebhook } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { account, listSearch, project, root, textIn } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import type { DeliverySearch } from './deliveries/delivery-search.ts'

const webhooks = createRoute({
  getParentRoute: () => project,
  path: 'integrations/webhooks',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const deliverySearch = (search: Record<string, unknown>): DeliverySearch => ({
  ...textIn(search, 'status'),
  ...textIn(search, 'event'),
  ...textIn(search, 'since'),
  ...textIn(search, 'delivery'),
  ...textIn(search, 'panel'),
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
  validateSearch: listSearch,
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

const notifications = createRoute({
  getParentRoute: () => account,
  path: 'notifications',
  component: lazyRouteComponent(() => import('./subscriptions/notifications-page.tsx'), 'NotificationsPage'),
})

const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  component: lazyRouteComponent(() => import('./subscriptions/unsubscribe-page.tsx'), 'UnsubscribePage'),
})

const confirmMail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-mail',
  component: lazyRouteComponent(() => import('./destinations/confirm-mail-page.tsx'), 'ConfirmMailPage'),
})

export const routes = {
  outside: [unsubscribe, confirmMail],
  account: [notifications],
  project: [webhooks, webhook, destinations, newDestination, destination, editDestination],
}

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
  { level: 'account', slot: 'notifications', label: 'Notifications', to: '/account/notifications', Icon: IconMail },
]

const inProject = '/api/v1/projects/{projectId}'

export const refreshes: Refreshes = {
  user: ['/api/dashboard/me/subscriptions'],
  webhook: [`${inProject}/webhooks/{webhookId}/deliveries`],
  destination: [`${inProject}/destinations/{destinationId}/deliveries`],
}
