import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { copyFolder } from '../../packages/server/testing/scratch.ts'
import { type Api, projectPath, reaches } from './api.ts'
import { fixedName, labAuthority, labData, labTemplate, publicAddress } from './lab.ts'
import { type Fault, runEach } from './run.ts'
import { newSite } from './site.ts'

// Runs in the lab: a sync of a feed on the embedded database, while the disk is full that holds the file of the feed.

const items = 400
/** Of 5,000 characters that no compression makes shorter. */
const longText = () => randomBytes(3_750).toString('base64')
/** What a feed needs more than the first one. */
const grownItems = 2_000
/** Less than the file of the feed, which has 10 MB. */
const smallDisk = '4m'

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
async function openShop({ data, temporary }: { data: string; temporary: string }) {
  await copyFolder(labTemplate(), data)
  const settings = { SVC_DATA_DIR: data, TMPDIR: temporary, SVC_JOB_RETRY_DELAYS: '1s' }
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
  return `${counts.items} ${revision} ${title}`
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

await runEach({ 'D3 file': fileFull })
