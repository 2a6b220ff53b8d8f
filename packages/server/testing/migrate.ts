import { migrate, openDatabase } from '../src/platform/db/index.ts'
import { quiet } from './templates.ts'

// One node of several that start at once, or one to be killed: migrates the database at a URL or in a folder with the
// files of another folder, the product's by default.
const [url, folder, dataDir = '.'] = process.argv.slice(2)
const database = await openDatabase({ ...(url && { url }), dataDir, log: quiet })
process.stderr.write('migrating\n')
process.stdout.write(JSON.stringify(await migrate(database, folder || undefined)))
await database.close()
