import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { valueTypes } from '../values.ts'
import { blankFor } from './blank.ts'
import { DurableFiles, proveSynced } from './durable-files.ts'

const settings = {
  fsync: 'on',
  wal_sync_method: 'fsync',
  wal_recycle: 'off',
  shared_buffers: '32MB',
  max_wal_size: '64MB',
  min_wal_size: '8MB',
  timezone: 'UTC',
}

/** PGlite's default start parameters turn fsync off. */
export const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

/** What `initdb` gets. It takes effect in what scripts/blank-database.ts makes. */
const initDbStartParams = ['--wal-segsize=1']

/** Opens the database in the current thread, creating it if it is missing. PGlite cannot have a second client. */
export async function openPglite(folder: string, program?: WebAssembly.Module, params = startParams) {
  const files = new DurableFiles(folder)
  const compiled = program && { pgliteWasmModule: program }
  const loadDataDir = await blankFor(folder)
  const pglite = keepingMarks(
    () =>
      new PGlite({
        fs: files,
        ...compiled,
        ...(loadDataDir && { loadDataDir }),
        startParams: params,
        initDbStartParams,
      }),
  )
  await pglite.waitReady
  const client = new pg.Client({ ...createPgConfig(pglite), types: valueTypes } as pg.ClientConfig)
  await client.connect()
  try {
    await proveSynced(files, () => client.query("select pg_logical_emit_message(true, 'svc', 'synced?')"))
  } catch (error) {
    await pglite.close()
    throw error
  }
  return { pglite, client, files }
}

/**
 * PGlite makes its decoder of answers with the client. By default it would take a byte order mark off the beginning of
 * each text, which a server keeps.
 */
function keepingMarks<Made>(make: () => Made): Made {
  const { TextDecoder } = globalThis
  globalThis.TextDecoder = class extends TextDecoder {
    constructor(label?: string, options?: TextDecoderOptions) {
      super(label, { ignoreBOM: true, ...options })
    }
  }
  try {
    return make()
  } finally {
    globalThis.TextDecoder = TextDecoder
  }
}
