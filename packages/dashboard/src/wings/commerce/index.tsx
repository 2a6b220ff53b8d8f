import { IconShoppingBag } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch, project } from '../../shell/routes.tsx'
import type { NavigationRow, Refreshes } from '../../shell/wing.ts'
import { jobSearch } from './jobs/job-search.ts'
import {
  catalogPath,
  categoriesPath,
  facetsPath,
  productPath,
  productSearch,
  productsPath,
} from './products/product.ts'

const products = createRoute({
  getParentRoute: () => project,
  path: 'commerce',
  validateSearch: productSearch,
  component: lazyRouteComponent(() => import('./products/products-page.tsx'), 'ProductsPage'),
})

const product = createRoute({
  getParentRoute: () => project,
  path: 'commerce/products/$product',
  component: lazyRouteComponent(() => import('./products/product-page.tsx'), 'ProductPage'),
})

const jobs = createRoute({
  getParentRoute: () => project,
  path: 'commerce/jobs',
  validateSearch: jobSearch,
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
})

const job = createRoute({
  getParentRoute: () => project,
  path: 'commerce/jobs/$job',
  component: lazyRouteComponent(() => import('./jobs/job-page.tsx'), 'JobPage'),
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

const sources = createRoute({
  getParentRoute: () => project,
  path: 'commerce/sources',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./sources/sources-page.tsx'), 'SourcesPage'),
})

const source = createRoute({
  getParentRoute: () => project,
  path: 'commerce/sources/$catalog_source',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./sources/source-page.tsx'), 'SourcePage'),
})

const catalog = createRoute({
  getParentRoute: () => project,
  path: 'commerce/catalog',
  component: lazyRouteComponent(() => import('./catalog/catalog-page.tsx'), 'CatalogPage'),
})

const placements = createRoute({
  getParentRoute: () => project,
  path: 'commerce/placements',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./recommendations/placements-page.tsx'), 'PlacementsPage'),
})

const placement = createRoute({
  getParentRoute: () => project,
  path: 'commerce/placements/$placement',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./recommendations/placement-page.tsx'), 'PlacementPage'),
})

const models = createRoute({
  getParentRoute: () => project,
  path: 'commerce/models',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./models/models-page.tsx'), 'ModelsPage'),
})

const model = createRoute({
  getParentRoute: () => project,
  path: 'commerce/models/$recommendation_model',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./models/model-page.tsx'), 'ModelPage'),
})

const datasets = createRoute({
  getParentRoute: () => project,
  path: 'commerce/datasets',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./datasets/datasets-page.tsx'), 'DatasetsPage'),
})

const dataset = createRoute({
  getParentRoute: () => project,
  path: 'commerce/datasets/$dataset',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./datasets/dataset-page.tsx'), 'DatasetPage'),
})

export const routes = {
  project: [
    products,
    product,
    sources,
    source,
    orders,
    order,
    jobs,
    job,
    placements,
    placement,
    models,
    model,
    datasets,
    dataset,
    catalog,
  ],
}

export const navigation: NavigationRow[] = [
  { level: 'project', slot: 'commerce', label: 'Commerce', to: '/$org/$project/commerce', Icon: IconShoppingBag },
]

const path = '/api/v1/projects/{projectId}/commerce/jobs'

export const refreshes: Refreshes = {
  catalog: [catalogPath, productsPath, productPath, categoriesPath, facetsPath, `${catalogPath}/revisions`],
  catalog_source: ['/api/v1/projects/{projectId}/catalog/sources'],
  dataset: ['/api/v1/projects/{projectId}/datasets'],
  recommendation_model: ['/api/v1/projects/{projectId}/recommendations/models'],
  job: [path, `${path}/{jobId}`],
}
