// Visitors for the example shop: they look at products, buy, and send things back. Beside the shop and the service:
//   SVC_SDK_KEY=sdk_… node examples/shop/visitors.js 300
//
// What they want does not depend on recommendations, except that some buy one more product because they have seen it.
// So this program knows what the recommendations have brought, and prints it: a test of the placement should find it.
import { parseArgs } from 'node:util'
import { createClient } from '@svc/sdk'
import { shop } from '@svc/sdk/commerce'
import { decimal, products, productsById, shelves } from './catalog.js'
import { refundedOf, revenueOf } from './orders.js'
import { numbersOf } from './random.js'

const {
  SVC_SDK_KEY,
  SVC_BASE_URL = 'http://127.0.0.1:4000',
  SHOP_URL = 'http://127.0.0.1:5100',
  SVC_PLACEMENT = 'product-page',
} = process.env
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
})
const count = Number(positionals[0] ?? 100)
const seed = Number(values.seed)

/** What visitors do, as shares of them. */
const looksElsewhere = 0.15
const buys = 0.3
const buysWhatIsRecommended = 0.35
const sendsBack = 0.1
const views = 4

const shelfOf = (id) => products.filter(({ shelf, isInStock }) => shelf === id && isInStock)
const service = { sdkKey: SVC_SDK_KEY, baseUrl: SVC_BASE_URL }

if (!SVC_SDK_KEY || !(count > 0) || !Number.isInteger(seed)) {
  console.error('SVC_SDK_KEY=sdk_… node examples/shop/visitors.js [NUMBER] [--seed NUMBER]')
  process.exit(1)
}

const client = createClient(service)
if (!(await client.waitUntilReady({ timeoutMs: 10_000 }))) {
  console.error(`No data file from ${SVC_BASE_URL}. Is the SDK key right and the service up?`)
  process.exit(1)
}
const here = shop({ ...service, client })
const all = []
for (let number = 1; number <= count; number += 1) {
  all.push(await visit(`v-${seed}-${number}`, numbersOf(seed * 1_000_003 + number)))
  // The queue of a client is limited.
  if (number % 25 === 0) await client.flush()
}
await client.close()
report()

/** One visitor. The same numbers are drawn whether recommendations are there or not. */
async function visit(unit, random) {
  const context = { targetingKey: unit }
  const oneOf = (list) => list[Math.floor(random() * list.length)]
  const taste = oneOf(shelves).id
  const seen = Array.from({ length: views }, () => oneOf(random() < looksElsewhere ? products : shelfOf(taste)).id)
  for (const productId of seen) here.viewed(productId, context)
  const drawn = [buys, buysWhatIsRecommended, sendsBack, sendsBack].map((share) => random() < share)
  const [wantsThis, wantsMore, regretsThis, regretsMore] = drawn

  const productId = seen.at(-1)
  const recent = seen.toReversed().map((id) => ({ productId: id, action: 'product_viewed' }))
  const result = await here.recommend(SVC_PLACEMENT, { context, productIds: [productId], recent })
  result.shown()
  // Only what is of the visitor's taste can tempt: a list of anything brings nothing.
  const tempting = wantsMore && result.items.find((item) => productsById.get(item.productId)?.shelf === taste)
  if (tempting) result.clicked(tempting.productId)
  const wanted = [
    ...(wantsThis ? [{ itemId: productId, isRegretted: regretsThis }] : []),
    ...(tempting ? [{ itemId: tempting.productId, isRegretted: regretsMore }] : []),
  ]
  const order = wanted.length > 0 ? await buy(context, wanted) : undefined
  return { order, tempted: tempting?.productId, hasList: result.items.length > 0, variant: result.variant }
}

/** Answers the order with what was sent back; undefined if the shop has nothing of it. */
async function buy(context, wanted) {
  for (const { itemId } of wanted) client.track('added_to_cart', { context, properties: { productId: itemId } })
  const items = wanted.map(({ itemId }) => ({ itemId, quantity: 1 }))
  const placed = await ask('/api/orders', { visitor: context.targetingKey, items })
  if (!placed) return undefined
  const { lines, ...order } = placed
  here.order(order, context)
  const [total, tax, shipping] = [order.total, order.tax, order.shipping].map((text) => Math.round(Number(text) * 100))
  let kept = lines
  for (const { itemId, isRegretted } of wanted)
    if (isRegretted) kept = (await ask(`/api/orders/${order.orderId}/refund`, { itemId })).lines
  return { total, tax, shipping, lines: kept }
}

async function ask(path, body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${SHOP_URL}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answer.status === 400) return undefined
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}

function report() {
  const ordered = all.filter(({ order }) => order)
  const sumOf = (amounts) => decimal(amounts.reduce((sum, amount) => sum + amount, 0))
  const control = all.filter(({ variant }) => variant === 'none').length
  console.log(`${all.length} visitors looked at ${all.length * views} products and placed ${ordered.length} orders.`)
  console.log(`${ordered.filter(({ order }) => refundedOf(order) > 0).length} of them sent something back.`)
  console.log(
    `${all.filter(({ hasList }) => hasList).length} saw recommendations; ${control} are in the control group.`,
  )
  console.log(
    `Revenue without taxes, shipping and refunds: ${sumOf(ordered.map(({ order }) => revenueOf(order)))} EUR.`,
  )
  console.log(`The recommendations brought ${sumOf(ordered.map(brought))} EUR of it.`)
}

/** What the product that a list has brought adds to the revenue of its order: in cents, net of refunds. */
function brought({ order, tempted }) {
  const added = order.lines.filter(({ itemId }) => itemId === tempted)
  const price = added.reduce((sum, line) => sum + line.price * (line.quantity - line.refundedQuantity), 0)
  return Math.round((price * (order.total - order.tax)) / order.total)
}
