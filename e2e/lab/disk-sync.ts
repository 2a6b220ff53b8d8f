import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { isFull } from '../../packages/server/testing/full.ts'
import { copyFolder } from '../../packages/server/testing/scratch.ts'
import { type Api, projectPath, reaches } from './api.ts'
import { type MovedClock, startClock } from './clock.ts'
import { fillDiskOf } from './filling.ts'
import { fixedName, labAuthority, labData, labTemplate, publicAddress } from './lab.ts'
import { type Fault, runEach } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: a sync of a feed on the embedded database, while a disk is full: the one that holds the file of the feed,
// or that of the database.

const items = 400
/** Of 5,000 characters that no compression makes shorter. */
const longText = () => randomBytes(3_750).toString('base64')
/** What a feed needs more than the first one. */
const grownItems = 2_000
/** Less than the file of the feed, which has 10 MB. */
const smallDisk = '4m'
/** Some batches fit, and the others do not. */
const roomForBatchesBytes = 3_000_000
const full = 'The disk of the database is full.'
/** An attempt that cannot even say that it is over keeps its job for so long. */
const leaseMs = 60_000
const longestMs = 60_000

let feed = ''
const server = createServer(await labAuthority().issue([fixedName]), (_request, response) => response.end(feed))
server.listen(443, publicAddress)
await once(server, 'listening')

const feedOf = (count: number, title: string, description: () => string) =>
  [
    'id,title,link,price,description',
    ...Array.from({ length: count }, (_, at) =>
      [`SKU-${at}`, title, `https://shop.example/${at}`, '10.00 EUR', description()].join(','),
    ),
  ].join('\n')

async function mounted(size: string): Promise<string> {
  const disk = await mkdtemp(join(labData(), 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
  return disk
}

/** A shop whose first feed was taken, on the disks that are given. */
async function openShop({ data, temporary, clock }: { data: string; temporary: string; clock?: MovedClock }) {
  await copyFolder(labTemplate(), data)
  const settings = { SVC_DATA_DIR: data, TMPDIR: temporary, SVC_JOB_RETRY_DELAYS: '1s', ...clock?.settings }
  const node = await (await newSite(settings)).start()
  const { api } = node
  const project = await projectPath(api)
  const source = { name: 'Feed', type: 'PRODUCTS', url: `https://${fixedName}/feed.csv` }
  await api.call('POST', `${project}/catalog/sources`, source)
  feed = feedOf(items, 'Old', () => '')
  await ended(api, project, await api.call('POST', `${project}/catalog/sources/feed/sync`))
  feed = feedOf(grownItems, 'New', longText)
  return { node, api, project }
}

/** The job once it has ended. */
const ended = (api: Api, project: string, { id }: { id: string }) =>
  reaches(
    'the end of a sync',
    () => api.call('GET', `${project}/commerce/jobs/${id}`),
    ({ endedAt }) => endedAt !== null,
  )

/** What visitors see: the number of items, the revision, and the title of an item. */
async function shown(api: Api, project: string): Promise<string> {
  const { counts, revision } = await api.call('GET', `${project}/catalog`)
  const { title } = await api.call('GET', `${project}/catalog/products/SKU-7`)
  const { revision: still } = await api.call('GET', `${project}/catalog`)
  // A revision that became visible between two answers is no mix.
  return still === revision ? `${counts.items} ${revision} ${title}` : shown(api, project)
}

interface Shop {
  api: Api
  project: string
}

const sync = ({ api, project }: Shop) => api.call('POST', `${project}/catalog/sources/feed/sync`)
const retry = ({ api, project }: Shop, id: string) => api.call('POST', `${project}/commerce/jobs/${id}/retry`)
const before = `${items} 1 Old`
const after = `${grownItems} 2 New`

async function fileFull(): Promise<Fault> {
  const temporary = await mounted(smallDisk)
  const shop = await openShop({ data: join(await mounted('200m'), 'data'), temporary })
  const { api, project, node } = shop
  const violations: string[] = []
  const failed = await ended(api, project, await sync(shop))
  if (failed.status !== 'FAILED' || failed.reason !== 'The file does not fit on the disk of the service.')
    violations.push(`on a full disk, the sync was ${failed.status}: ${failed.reason}`)
  const seen = [await shown(api, project)]
  execFileSync('mount', ['-o', 'remount,size=64m', temporary])
  const again = await ended(api, project, await retry(shop, failed.id))
  if (again.status !== 'SUCCEEDED') violations.push(`with room again, the sync was ${again.status}: ${again.reason}`)
  seen.push(await shown(api, project))
  if (`${seen}` !== `${[before, after]}`) violations.push(`shown were ${seen}`)
  await node.kill()
  return { violations, numbers: {} }
}

async function databaseFull(): Promise<Fault> {
  const [disk, temporary] = [await mounted('200m'), await mounted('64m')]
  const clock = await startClock()
  const shop = await openShop({ data: join(disk, 'data'), temporary, clock })
  const { api, project, node } = shop
  const violations: string[] = []
  const filler = fillDiskOf(disk, roomForBatchesBytes)
  const { id } = await sync(shop)
  // Of an embedded database without room for its log, nothing can be read either.
  const whyNot = async () => {
    const { status, body } = await api.send('GET', `${project}/commerce/jobs/${id}`)
    return status === 503 ? body.error.code : body.data.reason
  }
  const told = await reaches('what is said on a full disk', whyNot, (why) => why !== null, longestMs)
  if (told !== full && told !== 'storage_full') violations.push(`on a full disk, what was said is ${told}`)
  rmSync(filler)
  await clock.move(leaseMs + 1_000)
  const seen = new Set<string>()
  const look = async () => {
    const { status, body } = await api.send('GET', `${project}/commerce/jobs/${id}`)
    if (status !== 200) return null
    const visible = await shown(api, project).catch(() => null)
    if (visible === null) return null
    seen.add(visible)
    return body.data as { endedAt: string | null; status: string; reason: string | null }
  }
  const what = 'the end of a sync, with room again'
  const last = (await reaches(what, look, (job) => Boolean(job?.endedAt), longestMs))!
  if (last.status === 'FAILED' && last.reason !== full) violations.push(`the sync failed: ${last.reason}`)
  const again = last.status === 'FAILED' ? await ended(api, project, await retry(shop, id)) : last
  if (again.status !== 'SUCCEEDED') violations.push(`with room again, the sync was ${again.status}: ${again.reason}`)
  const mixed = [...seen].filter((each) => each !== before && each !== after)
  if (mixed.length > 0) violations.push(`shown were ${mixed}`)
  const atLast = await shown(api, project)
  if (atLast !== after) violations.push(`shown at last was ${atLast}`)
  await node.kill()
  return { violations, numbers: { failed: Number(last.status === 'FAILED'), unreadable: Number(told !== full) } }
}

await runEach({ 'D3 file': fileFull, ...(isFull && { 'D3 database': databaseFull }) })
