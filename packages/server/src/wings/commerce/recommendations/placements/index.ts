export type { NamedModels } from './actions.ts'
export { requestConditionIssues } from './item-conditions.ts'
export { isStrategy, maxShownProducts, type PlacementContent, type Variant } from './placement.ts'
export {
  noteMeasured,
  type Placement,
  placementChannel,
  placementQueries,
  placementsNaming,
  placementsOf,
  projectsWithPlacements,
} from './queries.ts'
export { type PlacementRoutes, placementRoutes } from './routes.ts'
export { productIdField } from './schema.ts'
