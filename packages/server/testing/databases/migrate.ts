import { migrate, openDatabase } from '../../src/platform/db/index.ts'
import { quiet } from './templates.ts'

// A node that starts together with others, or will be killed: migrates the database at a URL or in a folder with the
// files of another folder (default: those of the product).
const [url, folder, dataDir = '.'] = process.argv.slice(2)
const database = await openDatabase({ ...(url && { url }), dataDir, log: quiet })
process.stderr.write('migrating\n')
process.stdout.write(JSON.stringify(await migrate(database, folder ? { folder } : {})))
await database.close()
