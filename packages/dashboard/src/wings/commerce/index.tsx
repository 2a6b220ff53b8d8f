import { IconShoppingCart } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { listSearch, project } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'

const jobs = createRoute({
  getParentRoute: () => project,
  path: 'commerce/jobs',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
})

const job = createRoute({
  getParentRoute: () => project,
  path: 'commerce/jobs/$job',
  component: lazyRouteComponent(() => import('./jobs/job-page.tsx'), 'JobPage'),
})

/** The row in the sidebar leads to the first tab, and is marked on all of them. */
const commerce = createRoute({
  getParentRoute: () => project,
  path: 'commerce',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$org/$project/commerce/orders', params, replace: true })
  },
})

const orders = createRoute({
  getParentRoute: () => project,
  path: 'commerce/orders',
  component: lazyRouteComponent(() => import('./orders/orders-page.tsx'), 'OrdersPage'),
})

const order = createRoute({
  getParentRoute: () => project,
  path: 'commerce/orders/$order',
  component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
})

export const routes = { project: [commerce, orders, order, jobs, job] }

export const navigation: NavigationRow[] = [
  {
    level: 'project',
    slot: 'commerce',
    label: 'Commerce',
    to: '/$org/$project/commerce',
    Icon: IconShoppingCart,
  },
]

const path = '/api/v1/projects/{projectId}/commerce/jobs'

export const refreshes: Refreshes = { job: [path, `${path}/{jobId}`] }
