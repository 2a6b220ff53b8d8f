import { migrate, openDatabase } from '../src/platform/db/index.ts'
import { quiet } from './templates.ts'

// One node of several that start at once: migrates the database at a URL with the files of a folder.
const [url, folder] = process.argv.slice(2)
const database = await openDatabase({ url, dataDir: '.', log: quiet })
process.stdout.write(JSON.stringify(await migrate(database, folder)))
await database.close()
