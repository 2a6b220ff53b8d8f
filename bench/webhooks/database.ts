import pg from 'pg'
import { onDatabase } from '../../packages/server/testing/databases/templates.ts'

/** Creates an empty database for this process and returns its URL. */
export async function createDatabase(clusterUrl: string, suffix = ''): Promise<string> {
  const name = `bench_${process.pid}${suffix}`
  const admin = new pg.Client({ connectionString: clusterUrl })
  await admin.connect()
  await admin.query(`create database ${name} template template0`)
  await admin.end()
  return onDatabase(clusterUrl, name)
}
