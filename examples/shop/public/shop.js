// What a page of the shop tells Svc, and where it shows recommendations.
const { baseUrl, sdkKey, visitor, productId, order } = JSON.parse(document.getElementById('svc').textContent)

try {
  const scripts = ['svc.js', 'svc-commerce.js'].map((name) => import(`${baseUrl}/sdk/v1/${name}`))
  const [{ createClient }, { shop }] = await Promise.all(scripts)
  const client = createClient({ sdkKey, baseUrl })
  const context = { targetingKey: visitor }
  start(client, context, shop({ client, sdkKey, baseUrl, context }))
} catch (fault) {
  // Without Svc, the shop sells on: only the recommendations are missing.
  console.warn(fault)
}

function start(client, context, here) {
  if (order) here.order(order)
  if (productId) here.viewed(productId)
  for (const form of document.querySelectorAll('[data-adds]'))
    form.addEventListener('submit', () =>
      client.track('added_to_cart', { context, properties: { productId: form.dataset.adds } }),
    )
  for (const section of document.querySelectorAll('[data-placement]')) fill(section, here)
  // What was told waits in the client, which sends it also when the visitor leaves.
  document.body.dataset.svc = 'told'
}

async function fill(section, { recommend }) {
  const result = await recommend(section.dataset.placement, productId ? { productIds: [productId] } : {})
  // The control group of a test gets the variant none, and no products.
  section.dataset.variant = result.variant
  if (result.items.length === 0) return
  section.querySelector('ul').replaceChildren(...result.items.map((item) => card(item, result)))
  section.hidden = false
  // Seen by the visitor, not only loaded.
  new IntersectionObserver(([{ isIntersecting }], observer) => {
    if (!isIntersecting) return
    observer.disconnect()
    result.shown()
  }).observe(section)
}

function card({ productId, product }, result) {
  const { title, link, imageLink, price, salePrice } = product
  const anchor = make('a', { href: link })
  anchor.append(
    make('img', { src: imageLink ?? '', alt: '', width: 400, height: 400 }),
    make('span', { className: 'name', textContent: title }),
    make('span', { className: 'price', textContent: `€ ${salePrice ?? price}` }),
  )
  anchor.addEventListener('click', () => result.clicked(productId))
  const item = make('li', { className: 'card' })
  item.append(anchor)
  return item
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
