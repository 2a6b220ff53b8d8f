/** The arguments of openDatabase, for a second process or node on the same database. */
export interface Address {
  url?: string
  dataDir: string
  /** On a server: where its write-ahead log was when the database was created. */
  logFrom?: string
}
