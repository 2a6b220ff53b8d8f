// The limit of the embedded default: only its database, opened in its own process.
import { openPglite } from '../../packages/server/src/platform/db/embedded/pglite.ts'

const { pglite, client } = await openPglite(process.env.BENCH_FOLDER!)
await client.query('select count(*) from flags')
console.log('ready')
const open = setInterval(() => undefined, 60_000)
process.once('SIGTERM', async () => {
  clearInterval(open)
  await pglite.close()
})
