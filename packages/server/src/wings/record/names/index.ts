export { isSeen, type Place, place } from './queries.ts'
export { namesRoute } from './routes.ts'
export { placeSchema } from './schema.ts'
