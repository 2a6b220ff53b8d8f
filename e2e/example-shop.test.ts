import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFull } from '../packages/server/testing/full.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { type OpenService, openService, root } from './service.ts'
import { openShell, type Shell } from './shell.ts'
import { openSvcDoor, type SvcDoor } from './svc-door.ts'

const blocks = codeBlocks(readFileSync(`${root}docs/example-shop.md`, 'utf8'))
let service: OpenService
let door: SvcDoor
let shell: Shell
let folder: string

beforeAll(async () => {
  service = await openService()
  door = await openSvcDoor()
  await service.call('POST', '/api/v1/projects', { name: 'Shop', key: 'shop' })
  folder = await mkdtemp(join(tmpdir(), 'svc-example-shop-'))
  const port = String(await freePort())
  const shop = { PORT: port, SHOP_URL: `http://127.0.0.1:${port}` }
  const place = { SVC_URL: service.url, SVC_TOKEN: service.token, SVC_PROJECT: 'shop' }
  shell = openShell({ ...place, ...shop, XDG_CONFIG_HOME: folder, ...door.env })
})

afterAll(async () => {
  shell?.close()
  await service?.stop()
  await door?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A full run sends as many visitors as the guide. With fewer, the estimate is as right, and its interval wider. */
const fewer = (text: string): string =>
  isFull
    ? text
    : text
        .replace('visitors.js 600', 'visitors.js 250')
        .replace('600 visitors looked at 2400', '250 visitors looked at 1000')

it('the guide leads from an empty service to what recommendations bring, which the visitors know', async () => {
  let told = ''
  let running: Awaited<ReturnType<Shell['run']>> | undefined
  for (const { language, text } of blocks) {
    if (language === 'sh') {
      running = await shell.run(fewer(text))
      told += running.printed()
    } else if (language === 'text') await running!.until(fewer(text).trim().split('…')[0]!)
  }
  expect(blocks.filter(({ language }) => language === 'sh')).toHaveLength(9)
  for (const code of ['missing_title', 'bad_price']) expect(told).toContain(code)
  const [, brought] = [...told.matchAll(/The recommendations brought ([\d.]+) EUR/g)].at(-1)!
  const { measurement } = await service.call('GET', '/api/v1/projects/shop/recommendations/placements/product-page')
  const { estimate, ciLow, ciHigh } = measurement.incrementalRevenue
  // The interval misses the truth now and then, and twice its width never.
  expect(Math.abs(estimate - Number(brought))).toBeLessThan(ciHigh - ciLow)
  expect(Number(brought)).toBeGreaterThan(0)
})
