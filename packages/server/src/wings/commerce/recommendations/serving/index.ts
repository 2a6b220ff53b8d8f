export { historyIn } from './actions.ts'
export { recommendationRoutes, serveRecommendations } from './routes.ts'
export { type Shelves, shelves } from './store.ts'
export { keepShelves } from './worker.ts'
