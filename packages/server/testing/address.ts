/** The arguments of openDatabase, for a second process or node on the same database. */
export interface Address {
  url?: string
  dataDir: string
}
