export type { Database, Db, Log, Tx } from './database.ts'
export { constraintOf, isUnavailable } from './errors.ts'
export { migrate } from './migrations.ts'
export { openDatabase } from './open.ts'
