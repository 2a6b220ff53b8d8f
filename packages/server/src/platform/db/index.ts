export type { CopySession } from './copying.ts'
export type { Database, Db, Log, Tx } from './database.ts'
export { databaseFolder } from './embedded/folder.ts'
export { lockFolder } from './embedded/lock.ts'
export { syncPath } from './embedded/sync-path.ts'
export {
  canSucceedLater,
  codeOf,
  constraintOf,
  hadToYield,
  isUnavailable,
  saysDiskFull,
  tookTooLong,
  unavailable,
} from './errors.ts'
export { isMigrated, migrate, migratedTables, migrationNames, missingMigrations } from './migrations.ts'
export { openDatabase, openSession } from './open.ts'
export { refuseUnfinishedRestore, restoreMark } from './restore-mark.ts'
export { type StorageWatch, storageWatch } from './storage.ts'
export { containsText } from './text.ts'
export { asPartOf, currentWhole, type Whole } from './whole.ts'
