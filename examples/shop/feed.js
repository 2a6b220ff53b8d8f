// The product feed, as Google Merchant Center has it. It says what the shopkeeper has typed, also what is wrong.
import { currency, decimal, products } from './catalog.js'
import { rowOf } from './stock-list.js'

/** @param shopUrl where the pages of the shop are, such as `http://127.0.0.1:5100` */
export const feed = (shopUrl) => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
  <channel>
    <title>Harbour Coffee</title>
    <link>${shopUrl}</link>
    <description>Everything for coffee and tea</description>
${products.map((product) => itemOf(product, shopUrl)).join('\n')}
  </channel>
</rss>
`

function itemOf(product, shopUrl) {
  const { id, path, brand, color, cost, isInStock } = product
  const { title, price } = rowOf(id)
  const fields = {
    'g:id': id,
    title,
    link: `${shopUrl}/p/${id}`,
    'g:image_link': `${shopUrl}/pictures/${id}.svg`,
    'g:price': `${price} ${currency}`,
    'g:cost_of_goods_sold': `${decimal(cost)} ${currency}`,
    'g:availability': isInStock ? 'in_stock' : 'out_of_stock',
    'g:condition': 'new',
    'g:brand': brand,
    'g:color': color,
    'g:product_type': path.join(' > '),
  }
  const lines = Object.entries(fields).map(([name, text]) => `      <${name}>${escaped(text)}</${name}>`)
  return `    <item>\n${lines.join('\n')}\n    </item>`
}

/** For texts and quoted attributes of XML and HTML. */
export const escaped = (text) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
