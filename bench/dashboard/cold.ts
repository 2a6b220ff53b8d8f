import { cpus, loadavg } from 'node:os'
import type { Browser } from '@playwright/test'
import { openBrowser } from '../../e2e/chromium.ts'
import { median } from '../program.ts'
import { addProject, openSite } from '../site.ts'

const flags = 40
const rounds = 3
/** A slow phone: 400 kbit/s in both directions, and an answer begins 400 ms after its request. */
const slowLine = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const targets = { frame: 3_000, list: 8_000 }
const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'engines weave algebra', role: 'OWNER' }

interface Opened {
  /** Until the frame with its logo is drawn. */
  frame: number
  /** Until a flag of the list can be clicked. */
  list: number
  kilobytes: number
}

/** How long the list of flags takes to open on a slow line, in a browser that has never been there. */
export async function run(): Promise<void> {
  const site = await openSite(undefined, [ada])
  const browser = await openBrowser('chromium')
  try {
    await addProject(site, flags)
    const all: Opened[] = []
    for (let round = 0; round < rounds; round += 1) all.push(await open(browser, site.url()))
    console.log(
      `\nDashboard: the list of ${flags} flags opens for the first time on a line of 400 kbit/s and 400 ms, ${cpus().length} cores, Chromium ${browser.version()}, load ${loadavg()[0]!.toFixed(1)}, median of ${rounds}. ${median(all.map(({ kilobytes }) => kilobytes)).toFixed(0)} KB are loaded.`,
    )
    console.log('| s | / target | what |\n|---|---|---|')
    for (const [name, what] of [
      ['frame', 'the frame with its logo is drawn'],
      ['list', 'a flag of the list can be opened'],
    ] as const) {
      const ms = median(all.map((each) => each[name]))
      console.log(`| ${(ms / 1_000).toFixed(1)} | ${(ms / targets[name]).toFixed(2)} | ${what} |`)
    }
  } finally {
    await browser.close()
    await site.close()
  }
}

async function open(browser: Browser, url: string): Promise<Opened> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const data = { email: ada.email, password: ada.password }
  await context.request.post('/api/dashboard/sign-in', { data, headers: { origin: url } })
  const page = await context.newPage()
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', slowLine)
  let bytes = 0
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const at = Date.now()
  void page.goto('/1/1/flags').catch(() => undefined)
  await page.locator('img[src="/mark.svg"], header svg').first().waitFor()
  const frame = Date.now() - at
  await page.getByRole('rowheader').getByRole('link').first().click({ trial: true })
  const list = Date.now() - at
  await context.close()
  return { frame, list, kilobytes: bytes / 1_000 }
}
