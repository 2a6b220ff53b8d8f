// Makes the empty database that first starts of the embedded database unpack, if this version of PGlite has none yet.
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { blankFile } from '../packages/server/src/platform/db/embedded/blank.ts'
import { openPglite } from '../packages/server/src/platform/db/embedded/pglite.ts'

const file = blankFile()
if (!existsSync(file)) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-blank-'))
  const { pglite } = await openPglite(join(folder, 'postgres'))
  const blank = Buffer.from(await (await pglite.dumpDataDir('gzip')).arrayBuffer())
  await pglite.close()
  rmSync(folder, { recursive: true })
  for (const old of globSync(join(dirname(file), 'blank-database-*'))) rmSync(old)
  mkdirSync(dirname(file), { recursive: true })
  // A service that starts meanwhile never finds half of it.
  writeFileSync(`${file}.new`, blank)
  renameSync(`${file}.new`, file)
}
