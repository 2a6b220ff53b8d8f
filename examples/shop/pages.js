// The pages of the shop as HTML. What runs in them is public/shop.js.
import { decimal, products, shelves } from './catalog.js'
import { escaped } from './feed.js'
import { forSdk, refundedOf } from './orders.js'
import { brokenProducts, forSale, mistakeIn, rowOf } from './stock-list.js'

/** What a page has besides its content: `svc` is for its script, `pieces` is in the cart. */
export function page({ title, content, pieces = 0, svc }) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escaped(title)} · Harbour Coffee</title>
    <link rel="stylesheet" href="/shop.css">
    <link rel="icon" href="/pictures/CUPS-01.svg">
  </head>
  <body>
    <header>
      <a class="brand" href="/">Harbour Coffee</a>
      <nav aria-label="Shop">
        <a href="/shopkeeper">Shopkeeper</a>
        <a href="/cart">Cart${pieces > 0 ? ` (${pieces})` : ''}</a>
      </nav>
    </header>
    <main>${content}</main>
    <footer>An example of Svc. Nothing here can be bought.</footer>
    ${svc ? `<script type="application/json" id="svc">${scriptJson(svc)}</script>\n    <script type="module" src="/shop.js"></script>` : ''}
  </body>
</html>
`
}

/** Escapes `<`, so that a value that contains `</script>` cannot end the script. */
const scriptJson = (value) => JSON.stringify(value).replaceAll('<', '\\u003c')

const euros = (cents) => `€ ${decimal(cents)}`

const card = ({ id, title, brand, price, isInStock }) => `
      <li class="card">
        <a href="/p/${id}">
          <img src="/pictures/${id}.svg" alt="" width="400" height="400" loading="lazy">
          <span class="name">${escaped(title)}</span>
          <span class="soft">${escaped(brand)}</span>
          <span class="price">${isInStock ? euros(price) : 'Sold out'}</span>
        </a>
      </li>`

/** Where products of a placement appear. It is not there until there are some. */
const placement = (key, title) => `
    <section class="placement" data-placement="${key}" aria-label="${title}" hidden>
      <h2>${title}</h2>
      <ul class="row"></ul>
    </section>`

export function homePage() {
  return `
    <section class="hero">
      <h1>Everything for the first cup, and the one after</h1>
      <p>Coffee, tea and what they are served in, from fifteen harbours.</p>
    </section>
    ${placement('home', 'What others take home')}
    ${shelves.map(shelfSection).join('')}`
}

const shelfSection = ({ id, path }) => `
    <section>
      <h2>${path.join(' · ')}</h2>
      <ul class="row">${products
        .filter(({ shelf }) => shelf === id)
        .map(forSale)
        .filter(Boolean)
        .map(card)
        .join('')}
      </ul>
    </section>`

export const productPage = ({ id, title, brand, color, path, price, isInStock }) => `
    <article class="product">
      <img src="/pictures/${id}.svg" alt="${escaped(title)}" width="400" height="400">
      <div>
        <p class="soft">${escaped(path.join(' · '))}</p>
        <h1>${escaped(title)}</h1>
        <p>By ${escaped(brand)}, in ${escaped(color)}.</p>
        <p class="price">${euros(price)}</p>
        ${
          isInStock
            ? `<form method="post" action="/cart" data-adds="${id}">
          <input type="hidden" name="itemId" value="${id}">
          <button type="submit">Add to cart</button>
        </form>`
            : '<p><strong>Sold out</strong></p>'
        }
      </div>
    </article>
    ${placement('product-page', 'Goes well with it')}`

export function cartPage(lines) {
  if (lines.length === 0) return '\n    <h1>Your cart</h1>\n    <p>It is empty. <a href="/">Look around</a>.</p>'
  const sum = lines.reduce((total, { product, quantity }) => total + product.price * quantity, 0)
  return `
    <h1>Your cart</h1>
    <ul class="lines">${lines
      .map(
        ({ product: { id, title, price }, quantity }) => `
      <li><a href="/p/${id}">${escaped(title)}</a> <span>${quantity} × ${euros(price)}</span></li>`,
      )
      .join('')}
      <li class="total"><span>Together, without shipping</span> <span>${euros(sum)}</span></li>
    </ul>
    <form method="post" action="/checkout"><button type="submit">Buy</button></form>`
}

export const thanksPage = ({ orderId, total, lines }) => `
    <h1>Thank you</h1>
    <p>Your order ${orderId} of ${euros(total)} is on its way:</p>
    <ul class="lines">${lines.map(({ title, quantity }) => `\n      <li>${escaped(title)} <span>${quantity} ×</span></li>`).join('')}
    </ul>
    <p><a href="/">Back to the shop</a></p>`

/** @param refused a row that could not be taken: `{ id, row, mistake }` */
export function shopkeeperPage(orders, refused) {
  const broken = brokenProducts()
  return `
    <h1>Shopkeeper</h1>
    <p>Files for Svc: <a href="/feed.xml">product feed</a> and <a href="/orders.csv">orders with refunds</a>.</p>
    <section>
      <h2>Products to mend</h2>
      ${
        broken.length === 0
          ? '<p>All products are for sale.</p>'
          : `<p>The shop does not show these products, and the feed has them as they are here.</p>
      <ul class="mend">${broken.map((product) => mendForm(product, refused)).join('')}</ul>`
      }
    </section>
    <section>
      <h2>Orders</h2>
      ${orders.length === 0 ? '<p>Nobody has bought anything since the shop was started.</p>' : ordersTable(orders)}
    </section>`
}

function mendForm({ id }, refused) {
  const row = refused?.id === id ? refused.row : rowOf(id)
  return `
        <li>
          <form method="post" action="/shopkeeper/products/${id}">
            <p><strong>${id}</strong> <span class="fault">${escaped(mistakeIn(row) ?? '')}</span></p>
            <label>Name <input name="title" value="${escaped(row.title)}" maxlength="150"></label>
            <label>Price in euros <input name="price" value="${escaped(row.price)}" inputmode="decimal" maxlength="20"></label>
            <button type="submit">Save</button>
          </form>
        </li>`
}

const mostShown = 50

function ordersTable(orders) {
  const rows = orders
    .slice(-mostShown)
    .reverse()
    .map((order) => {
      const { orderId, total, lines } = order
      const refunded = refundedOf(order)
      const action = lines.every(({ quantity, refundedQuantity }) => refundedQuantity === quantity)
        ? ''
        : `<form method="post" action="/shopkeeper/orders/${orderId}/refund">
            <button type="submit" class="quiet" aria-label="Refund order ${orderId}">Refund</button></form>`
      return `
          <tr><th scope="row">${orderId}</th><td>${escaped(lines.map(({ title }) => title).join(', '))}</td>
            <td class="number">${euros(total)}</td><td class="number">${refunded ? euros(refunded) : '–'}</td><td>${action}</td></tr>`
    })
  return `
      <p>${orders.length} orders${orders.length > mostShown ? `; here are the last ${mostShown}` : ''}.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Orders">
        <table>
          <thead><tr><th scope="col">Order</th><th scope="col">Products</th><th scope="col" class="number">Total</th>
            <th scope="col" class="number">Refunded</th><td></td></tr></thead>
          <tbody>${rows.join('')}
          </tbody>
        </table>
      </div>`
}

/** What the script of a page gets: who looks, at which product, and which order was just placed. */
export const forScript = ({ service, unit, product, order }) => ({
  ...service,
  visitor: unit,
  ...(product && { productId: product.id }),
  ...(order && { order: forSdk(order) }),
})
