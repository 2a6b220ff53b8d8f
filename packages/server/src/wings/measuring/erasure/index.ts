export { type Erasing, erasing } from './actions.ts'
export { erasureKind } from './erasure.ts'
export { erasureRoutes } from './routes.ts'
