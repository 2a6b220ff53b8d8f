import { datasetPath, datasetsPath, versionsPath } from '../datasets/dataset.ts'
import { modelPath, modelsPath, runsPath } from '../models/model.ts'
import { ordersPath, summaryPath } from '../orders/order.ts'
import { catalogPath, categoriesPath, facetsPath, productPath, productsPath } from '../products/product.ts'
import { aboutOf, type Job, jobsPath } from './job.ts'

/** What the end of a job can have changed. */
export function changedBy({ kind }: Pick<Job, 'kind'>): string[] {
  if (kind === 'order_import') return [jobsPath, ordersPath, summaryPath]
  switch (aboutOf({ kind })) {
    case 'dataset':
      return [jobsPath, versionsPath, datasetPath, datasetsPath]
    case 'model':
      return [jobsPath, runsPath, modelPath, modelsPath]
    case undefined:
      return kind === 'catalog_removal' ? ofCatalog : [jobsPath]
    default:
      return ofCatalog
  }
}

const ofCatalog = [
  jobsPath,
  catalogPath,
  productsPath,
  productPath,
  categoriesPath,
  facetsPath,
  `${catalogPath}/revisions`,
]
