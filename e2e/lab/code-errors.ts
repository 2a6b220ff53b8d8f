import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBrowser } from '../chromium.ts'
import { newHook, reaches, recordsOf } from './api.ts'
import { hostOf, startCustomers } from './customers.ts'
import { breaches, isSigned } from './invariants.ts'
import { report } from './lab.ts'
import { newSite, searchSites } from './site.ts'

// Runs in the lab: code of a variation fails in a real browser, and the alarm goes to a real HTTPS receiver.

const visitorsToPause = 20
const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const code = `// A price that is not there yet.
setTimeout(() => {
  throw new TypeError('late')
})
Promise.reject(new Error('rejected'))`

const customers = await startCustomers()
const site = await newSite()
const node = await site.start()
const { call } = node.api

const { id: projectId } = await call('POST', '/api/v1/projects', { name: 'Shop', type: 'WEB' })
const project = `/api/v1/projects/${projectId}`
const environments = await call('GET', `${project}/environments`)
const { sdkKey } = environments.find(({ key }: { key: string }) => key === 'production')
const experiments = `${project}/experiments`
/** Everybody gets the variation, which has this code. */
async function launched(name: string, js: string, more: object = {}): Promise<string> {
  const { id } = await call('POST', experiments, {
    name,
    pages: [{ key: 'all', name: 'All', conditions: { all: [] } }],
    variations: [
      { key: 'original', weight: 0 },
      { key: 'price', weight: 10_000 },
    ],
    ...more,
  })
  await call('PUT', `${experiments}/${id}/variations/price/code`, { js })
  await call('POST', `${experiments}/${id}/launch`)
  return `${experiments}/${id}`
}
const sound = await launched('Sound', 'document.title = "From € 9"')
const failing = await launched('Failing', code, { autoPause: { codeErrors: true } })
const hook = await newHook(node.api, project, hostOf(0), ['experiment.code_error_detected', 'experiment.paused'])

const shop = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><title>Shop</title><link rel="icon" href="data:"><script src="${node.url}/sdk/v1/web/${sdkKey}.js" crossorigin></script>`,
  )
}).listen(0, '127.0.0.1')
await once(shop, 'listening')
const browser = await openBrowser(undefined, [`--user-agent=${userAgent}`])
const context = await browser.newContext()
await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }))
const page = await context.newPage()

/** A new visitor opens the page, and both errors of the code are sent. */
async function visit(): Promise<void> {
  await context.clearCookies()
  let sent = 0
  const seen = (request: { url(): string; postData(): string | null }) => {
    sent += request.url().endsWith('/events') ? (request.postData() ?? '').split('"type":"error"').length - 1 : 0
  }
  page.on('requestfinished', seen)
  await page.goto(`http://shop.localhost:${(shop.address() as AddressInfo).port}/`)
  await reaches(
    'the errors of a visitor',
    async () => sent,
    (count) => count >= 2,
  )
  page.off('requestfinished', seen)
}

for (let each = 0; each < visitorsToPause; each++) await visit()
const title = await page.title()
// A page sends what waits when it ends.
await page.goto('about:blank')
await reaches(
  'the visitors of a snapshot',
  async () => {
    await node.api.send('POST', `${failing}/results/refresh`)
    const { body } = await node.api.send('GET', `${failing}/results`)
    return body.data?.units?.total ?? 0
  },
  (total) => total >= visitorsToPause,
)
await customers.until('the alarms and the pause', () => customers.at(hook.host).length >= 3)
await browser.close()
shop.close()
const records = await recordsOf(node.api, hook)
const errors = await call('GET', `${failing}/errors`)
report({
  title,
  bodies: customers.at(hook.host).map(({ body }) => JSON.parse(body)),
  signed: customers.at(hook.host).every((arrival) => isSigned(arrival, hook.secret)),
  violations: breaches({
    customers,
    hooks: [{ hook, records }],
    acknowledged: [],
    now: new Date(),
    failures: 0,
    crashed: false,
  }),
  errors,
  ofOther: await call('GET', `${sound}/errors`),
  statuses: [(await call('GET', failing)).status, (await call('GET', sound)).status],
  secrets: await searchSites(),
})
