export { type Database, type Db, type Log, openDatabase, type Tx } from './database.ts'
export { constraintOf, isUnavailable } from './errors.ts'
export { migrate } from './migrations.ts'
