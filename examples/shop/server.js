// A shop that shows the recommendations of Svc and tells it what visitors do. Press Ctrl-C to stop.
//   SVC_SDK_KEY=sdk_… node examples/shop/server.js
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { productsById } from './catalog.js'
import { feed } from './feed.js'
import { csvOf, forSdk } from './orders.js'
import { cartPage, forScript, homePage, page, productPage, shopkeeperPage, thanksPage } from './pages.js'
import { picture } from './picture.js'
import { forSale, mend } from './stock-list.js'
import { openTills } from './tills.js'

const { SVC_SDK_KEY, SVC_BASE_URL = 'http://127.0.0.1:4000', PORT = '5100' } = process.env
const mostBytes = 20_000

if (!SVC_SDK_KEY) {
  console.error('Set SVC_SDK_KEY to the SDK key of an environment: SVC_SDK_KEY=sdk_… node examples/shop/server.js')
  process.exit(1)
}

const service = { sdkKey: SVC_SDK_KEY, baseUrl: new URL(SVC_BASE_URL).origin }
const tills = openTills()
const files = Object.fromEntries(
  ['shop.css', 'shop.js'].map((name) => [name, readFileSync(new URL(`public/${name}`, import.meta.url))]),
)
const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', xml: 'application/xml', csv: 'text/csv' }
/** Pages load scripts and data from the service, and nothing else from elsewhere. */
const policy = `default-src 'self'; script-src 'self' ${service.baseUrl}; connect-src 'self' ${service.baseUrl}; frame-ancestors 'none'`

const file = (name, content) => ({ type: types[name.split('.').at(-1)], content })
const html = (content, status = 200) => ({ type: 'text/html', content, status })
const json = (value, status = 200) => ({ type: 'application/json', content: JSON.stringify(value), status })
const leadTo = (location) => ({ status: 303, location })
const shown = (unit, title, content, facts = {}) => {
  const pieces = tills.cartOf(unit).reduce((sum, { quantity }) => sum + quantity, 0)
  return page({ title, content, pieces, svc: forScript({ service, unit, ...facts }) })
}
const notFound = () =>
  html(page({ title: 'Not found', content: '<h1>Not found</h1><p><a href="/">To the shop</a></p>' }), 404)
const keeper = (refused) =>
  html(page({ title: 'Shopkeeper', content: shopkeeperPage(tills.orders(), refused) }), refused ? 400 : 200)

/** Each answers a request by what its path has in brackets, the visitor, and the fields of its body. */
const routes = [
  ['GET', /^\/$/, ({ unit }) => html(shown(unit, 'Home', homePage()))],
  [
    'GET',
    /^\/p\/([A-Z]+-\d+)$/,
    ({ unit, id }) => {
      const product = forSale(productsById.get(id))
      return product ? html(shown(unit, product.title, productPage(product), { product })) : notFound()
    },
  ],
  ['GET', /^\/cart$/, ({ unit }) => html(shown(unit, 'Cart', cartPage(tills.cartOf(unit))))],
  [
    'POST',
    /^\/cart$/,
    ({ unit, body }) => {
      tills.add(unit, body.itemId)
      return leadTo('/cart')
    },
  ],
  [
    'POST',
    /^\/checkout$/,
    ({ unit }) => {
      const order = tills.checkOut(unit)
      return leadTo(order ? `/thanks/${order.orderId}` : '/cart')
    },
  ],
  [
    'GET',
    /^\/thanks\/(\d+)$/,
    ({ unit, id }) => {
      const order = tills.find(id)
      return order?.unit === unit ? html(shown(unit, 'Thank you', thanksPage(order), { order })) : notFound()
    },
  ],
  ['GET', /^\/shopkeeper$/, () => keeper()],
  [
    'POST',
    /^\/shopkeeper\/products\/([A-Z]+-\d+)$/,
    ({ id, body }) => {
      if (!productsById.has(id)) return notFound()
      const row = { title: String(body.title ?? ''), price: String(body.price ?? '') }
      return mend(id, row) ? keeper({ id, row }) : leadTo('/shopkeeper')
    },
  ],
  [
    'POST',
    /^\/shopkeeper\/orders\/(\d+)\/refund$/,
    ({ id }) => (tills.refund(id) ? leadTo('/shopkeeper') : notFound()),
  ],
  ['GET', /^\/feed\.xml$/, () => file('feed.xml', feed(shopUrl()))],
  ['GET', /^\/orders\.csv$/, () => file('orders.csv', csvOf(tills.orders()))],
  [
    'GET',
    /^\/pictures\/([A-Z]+-\d+)\.svg$/,
    ({ id }) => (productsById.has(id) ? { ...file('.svg', picture(productsById.get(id))), maxAge: 3600 } : notFound()),
  ],
  ['GET', /^\/(shop\.(?:css|js))$/, ({ id }) => file(id, files[id])],
  // For visitors.js, which has no browser.
  [
    'POST',
    /^\/api\/orders$/,
    ({ body }) => {
      const order = tills.place(String(body.visitor), Array.isArray(body.items) ? body.items : [])
      return order
        ? json({ ...forSdk(order), lines: order.lines }, 201)
        : json({ error: 'Nothing of it can be bought.' }, 400)
    },
  ],
  [
    'POST',
    /^\/api\/orders\/(\d+)\/refund$/,
    ({ id, body }) => {
      const order = tills.refund(id, body.itemId)
      return order ? json({ lines: order.lines }) : json({ error: 'There is no such order.' }, 404)
    },
  ],
]

const server = createServer((request, response) => {
  // A browser that goes away in the middle of a request must not end the shop.
  answer(request, response).catch((fault) => {
    console.error(fault)
    response.destroy()
  })
})

server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${shopUrl()}`))
process.once('SIGINT', () => {
  server.close()
  server.closeAllConnections()
})

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://shop')
  const { unit, isNew } = visitorOf(request.headers.cookie)
  const found = routes.find(([method, path]) => method === request.method && path.test(pathname))
  const body = request.method === 'POST' ? await bodyOf(request) : {}
  const said =
    body && found ? found[2]({ unit, body, id: found[1].exec(pathname)[1] }) : body ? notFound() : html('', 413)
  const { status = 200, type, content, location, maxAge } = said
  response.writeHead(status, {
    'content-security-policy': policy,
    'cache-control': maxAge ? `max-age=${maxAge}` : 'no-store',
    ...(type && { 'content-type': `${type}; charset=utf-8` }),
    ...(location && { location }),
    ...(isNew &&
      type === 'text/html' && { 'set-cookie': `visitor=${unit}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly` }),
  })
  response.end(content)
}

function shopUrl() {
  return process.env.SHOP_URL ?? `http://127.0.0.1:${server.address().port}`
}

/** The id of the visitor in a cookie of the shop, so that a test gives the visitor the same on each page. */
function visitorOf(cookie = '') {
  const [, known] = /(?:^|; )visitor=([\w-]{1,64})(?:;|$)/.exec(cookie) ?? []
  return { unit: known ?? randomUUID(), isNew: !known }
}

/** The fields of a form or of JSON; undefined if the body is too large. */
async function bodyOf(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > mostBytes) return undefined
  }
  if (!request.headers['content-type']?.startsWith('application/json'))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
