import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../../testing/full.ts'
import { availabilities, conditions, type Item } from '../../model/catalog/index.ts'
import { readFeed } from './read-feed.ts'
import { FeedFault } from './row.ts'
import { inPieces, readAll, source } from './testing/reading.ts'
import { writers } from './testing/writing.ts'

const rss = (items: string, head = '') =>
  `<?xml version="1.0"?>${head}<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>${items}</channel></rss>`
const item = (id: string, more = '') =>
  `<item><g:id>${id}</g:id><title>Shirt ${id}</title><link>https://shop.example.com/${id}</link><g:price>15.00 USD</g:price>${more}</item>`
const json = (itemId: string, more: object = {}) =>
  JSON.stringify({ itemId, title: `Shirt ${itemId}`, link: 'https://shop.example.com/p', price: '15.00', ...more })

const ids = async (...of: Parameters<typeof readAll>) =>
  (await readAll(...of)).items.map(({ item: { itemId } }) => itemId)
const faultOf = (...of: Parameters<typeof readAll>): Promise<FeedFault> =>
  readAll(...of).then(
    () => expect.fail('the file was read'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(FeedFault)
      return error as FeedFault
    },
  )

describe('a file in Google XML', () => {
  test('is RSS or Atom, with the prefix of Google and without, and with CDATA', async () => {
    const { items, problems } = await readAll(
      rss(`
        <item><g:id>a</g:id><title><![CDATA[Red & <b>]]></title><link>https://shop.example.com/a</link><g:price>1 EUR</g:price></item>
        <item><id>b</id><title>Blue &amp; green</title><link>https://shop.example.com/b</link><price>2 EUR</price><g:product_type>Home &gt; Garden</g:product_type></item>
        ${item('c', '<g:title>Of Google</g:title><g:additional_image_link>https://a.example.com/1</g:additional_image_link><g:additional_image_link>https://a.example.com/2</g:additional_image_link><g:shipping><g:country>DE</g:country><g:price>4 EUR</g:price></g:shipping>')}`),
    )
    expect(problems).toEqual([])
    expect(items.map(({ item: { itemId, title, categories } }) => [itemId, title, categories])).toEqual([
      ['a', 'Red & <b>', []],
      ['b', 'Blue & green', ['Home', 'Garden']],
      ['c', 'Of Google', []],
    ])
    expect(items[2]!.item).toMatchObject({
      price: 150_000,
      currency: 'USD',
      additionalImageLinks: ['https://a.example.com/1', 'https://a.example.com/2'],
      attributes: { 'shipping.country': 'DE', 'shipping.price': '4 EUR' },
    })
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://base.google.com/ns/1.0"><entry><x:id>d</x:id><title>D</title><link href="https://shop.example.com/d"/><x:price>3 EUR</x:price></entry></feed>`
    expect((await readAll(atom)).items[0]!.item).toMatchObject({ itemId: 'd', link: 'https://shop.example.com/d' })
  })

  test.each([
    ['in a text', 'Big <b>red</b> shoe', 'Big red shoe'],
    ['that is all of a text', '<b>Red</b>', 'Red'],
    ['in HTML', '<p>Big <i>and <b>red</b></i></p><P>shoe</P>', 'Big and red shoe'],
    ['between lines', 'Big<br/>red<hr>shoe</hr>', 'Big red shoe'],
    ['within a word', 'H<sub>2</sub>O', 'H2O'],
    ['with a prefix', '<h:div>Big</h:div>shoe', 'Big shoe'],
    ['that nobody knows', 'Big <color><name>red</name></color> shoe', 'Big red shoe'],
    ['in CDATA', '<![CDATA[Big ]]><b>red</b><!-- no --> &amp; blue', 'Big red & blue'],
    ['with many spaces', 'Big\n  <b> red</b>', 'Big\n   red'],
  ])('keeps the words of elements %s', async (_, text, expected) => {
    for (const [name, field] of [
      ['title', 'title'],
      ['g:description', 'description'],
      ['brand', 'brand'],
      ['g:product_type', 'categories'],
      ['color', 'attributes'],
      ['g:product_detail', 'attributes'],
    ] as const) {
      const written = name === 'g:product_detail' ? `<g:name>x</g:name><g:value>${text}</g:value>` : text
      const xml = rss(`${item('a').replace(/<title>.*<.title>/, name === 'title' ? '' : '$&')}`)
      const { items, problems } = await readAll(xml.replace('</item>', `<${name}>${written}</${name}></item>`))
      expect(problems).toEqual([])
      const more =
        name === 'color' ? { color: expected } : { 'product_detail.name': 'x', 'product_detail.value': expected }
      const read = items[0]!.item
      expect(read.attributes).toEqual(field === 'attributes' ? more : {})
      if (field !== 'attributes') expect(read[field]).toEqual(field === 'categories' ? [expected] : expected)
    }
  })

  test.each([
    ['a text', '<b>x</b>'],
    ['a field', '<g:name>x</g:name>'],
  ])('reads %s with thirty thousand elements in it in the time of its length', async (_, element) => {
    const begun = process.threadCpuUsage()
    const long = `<g:product_detail><g:value>${'y'.repeat(400_000)}</g:value>${element.repeat(30_000)}</g:product_detail>`
    expect((await readAll(rss(item('a').replace('</item>', `${long}</item>`)))).rows).toBe(1)
    // To copy the text for each element took a minute of processor time.
    expect(process.threadCpuUsage(begun).user).toBeLessThan(10_000_000)
  })

  test('says the line of each row', async () => {
    const { items, problems } = await readAll(rss(`\n${item('a')}\n${item('')}\n\n${item('b')}`))
    expect(items.map(({ line }) => line)).toEqual([2, 5])
    expect(problems).toEqual([
      { line: 3, itemId: null, code: 'missing_id', message: 'An item needs an id.', isWarning: false },
    ])
  })

  test('can begin with a byte order mark, and names its encoding', async () => {
    expect(await ids(`\ufeff${rss(item('a'))}`)).toEqual(['a'])
    expect(await ids(Buffer.from(`\ufeff${rss(item('ä'))}`, 'utf16le'))).toEqual(['ä'])
    const latin = rss(item('ä')).replace('version="1.0"', 'version="1.0" encoding="ISO-8859-1"')
    expect(await ids(Buffer.from(latin, 'latin1'))).toEqual(['ä'])
  })

  test.each([
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16 in the other order', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    ['UTF-8 that calls itself UTF-16', (text: string) => Buffer.from(text)],
  ])('can be %s', async (_, bytesOf) => {
    const xml = rss(item('ä')).replace('version="1.0"', 'version="1.0" encoding="utf-16"')
    expect(await ids(bytesOf(xml))).toEqual(['ä'])
  })

  const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n || ''};`.repeat(10)}">`).join('')}]>`
  test.each([
    [
      'billion laughs',
      rss(item('&lol9;'), laughs),
      'The file has a document type (DOCTYPE), which a feed must not have.',
    ],
    ['an external entity', rss(item('&xxe;'), '<!DOCTYPE a [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>'), 'DOCTYPE'],
    ['an external DTD', rss(item('a'), '<!DOCTYPE rss SYSTEM "https://evil.example.com/x.dtd">'), 'DOCTYPE'],
    ['an entity that nobody defined', rss(item('&xxe;')), 'undefined entity'],
    ['a web page', '<!doctype html><html><p>Sign in</html>', 'The file is a web page, not a feed.'],
    ['another document', '<svg></svg>', 'The file is no feed: it begins with <svg>, not <rss> or <feed>.'],
    ['nothing', '<!-- none -->', 'ends early or has no feed'],
    ['an end that is missing', rss(item('a')).slice(0, -10), 'ends early'],
    ['an end within a text', rss(item('a')).slice(0, 160), 'ends early'],
    ['an end within CDATA', rss('<item><title><![CDATA[a').slice(0, -24), 'ends early'],
    ['tags that cross', rss('<item><a><b></a></b></item>'), 'not well-formed XML'],
    ['too much depth', rss(`<item>${'<a>'.repeat(40)}`), 'nested more than 32 levels'],
    [
      'too many attributes',
      rss(`<item><a ${Array.from({ length: 70 }, (_, n) => `a${n}="x"`).join(' ')}/>`),
      'at most 64 attributes',
    ],
    ['a long name', rss(`<${'a'.repeat(300)}/>`), 'at most 200 characters'],
  ])('is refused as a whole with %s', async (_what, text, message) => {
    const fault = await faultOf(text)
    expect(fault.message).toContain(message)
    expect(fault.line).toBe(1)
  })

  test('skips a row of more than 1 MiB, and ends at a text, a comment or a tag of that length', async () => {
    const texts = (count: number) =>
      Array.from({ length: count }, (_, n) => `<g:c${n}>${'a'.repeat(100_000)}</g:c${n}>`).join('')
    const { items, problems } = await readAll(rss(`${item('a')}${item('b', texts(12))}${item('c', texts(5))}`))
    expect(items.map(({ item: { itemId } }) => itemId)).toEqual(['a', 'c'])
    expect(problems.filter(({ isWarning }) => !isWarning)).toEqual([
      { line: 1, itemId: null, code: 'malformed_row', message: 'A row must have at most 1 MiB.', isWarning: false },
    ])
    for (const [open, close] of [
      ['<g:a>', '</g:a>'],
      ['<!--', '-->'],
      ['<a b="', '"/>'],
      ['<![CDATA[', ']]>'],
    ]) {
      const fault = await faultOf(rss(item('a', `${open}${'a'.repeat(3_000_000)}${close}`)))
      expect(fault.message, open).toBe('A text, a comment or a tag must have at most 1 MiB.')
    }
  })

  test.each([
    ['addresses', `<link href="https://a.example.com/${'a'.repeat(100_000)}"/>`.repeat(50)],
    [
      'names',
      `${Array.from({ length: 10 }, (_, n) => `<${'a'.repeat(150)}${n}>`).join('')}${Array.from({ length: 3_000 }, (_, n) => `<b${n}>x</b${n}>`).join('')}${Array.from({ length: 10 }, (_, n) => `</${'a'.repeat(150)}${9 - n}>`).join('')}`,
    ],
  ])('skips a row whose %s would take more than 1 MiB', async (_what, more) => {
    const { items, problems } = await readAll(rss(`${item('a', more)}${item('b')}`))
    expect(items.map(({ item: { itemId } }) => itemId)).toEqual(['b'])
    expect(problems.map(({ message }) => message)).toEqual(['A row must have at most 1 MiB.'])
  })
})

test.each([
  ['a zip archive', 'PK\u0003\u0004\u0014', 'The file is a zip archive. Send it unpacked, or packed with gzip.'],
  ['a JSON array', '[\n  { "id": "a" }]', 'The file is a JSON array. Send JSON Lines: one object on each line.'],
])('a file that is %s is refused, in words that say what to send', async (_what, text, message) => {
  expect(await faultOf(text)).toMatchObject({ message, line: null })
})

describe('a file in CSV', () => {
  const head = ['id', 'title', 'link', 'price']
  const lines = (delimiter: string, ...rows: string[][]) => [head, ...rows].map((row) => row.join(delimiter)).join('\n')
  const row = (id: string, price = '15.00 USD') => [id, `Shirt ${id}`, 'https://shop.example.com/p', price]

  test.each([',', ';', '\t', '|'])('can be divided by %j', async (delimiter) => {
    const { items } = await readAll(lines(delimiter, row('a'), row('b')))
    expect(items.map(({ line, item: { itemId, currency } }) => [line, itemId, currency])).toEqual([
      [2, 'a', 'USD'],
      [3, 'b', 'USD'],
    ])
  })

  test('can have a byte order mark, quotes, line breaks in quotes and empty lines', async () => {
    const text = `\ufeff"id","title","link","price"\r\n\r\na,"Red, ""the"" one\r\nof two",https://shop.example.com/p,1\r\n,,,\r\nb,5" screen,https://shop.example.com/p,1`
    const { items, problems } = await readAll(text)
    expect(items.map(({ item: { itemId, title } }) => [itemId, title])).toEqual([
      ['a', 'Red, "the" one\r\nof two'],
      ['b', '5" screen'],
    ])
    expect(problems).toEqual([])
  })

  test('is read in windows-1252 if the source says so, and tells what is not in its encoding', async () => {
    const bytes = Buffer.from(lines(',', row('a'), ['ä', 'Grün', 'https://shop.example.com/p', '1']), 'latin1')
    expect(await ids(bytes, { encoding: 'windows-1252' })).toEqual(['a', 'ä'])
    const { items, problems } = await readAll(bytes)
    expect(items).toHaveLength(1)
    expect(problems).toMatchObject([{ line: 3, code: 'malformed_row', message: expect.stringContaining('encoding') }])
  })

  test('names the line of each broken row and goes on', async () => {
    const { items, problems } = await readAll(
      lines(',', row('a'), ['b'], [...row('c'), 'too', 'many'], row('d'), row('e', 'free'), row('f')),
    )
    expect(items.map(({ line, item: { itemId } }) => [line, itemId])).toEqual([
      [2, 'a'],
      [5, 'd'],
      [7, 'f'],
    ])
    expect(problems.map(({ line, itemId, code, message }) => [line, itemId, code, message])).toEqual([
      [3, 'b', 'malformed_row', 'Has 1 value for 4 columns.'],
      [4, 'c', 'malformed_row', 'Has 6 values for 4 columns.'],
      [6, 'e', 'bad_price', expect.stringContaining('price must ')],
    ])
    // Another first column could stand in a wrong place, and a long one is no id.
    const others = ['title,id\na,b,c', `id,title\n${'x'.repeat(101)},b,c`, 'id,title\n,b,c']
    for (const text of others) expect((await readAll(text)).problems).toMatchObject([{ line: 2, itemId: null }])
  })

  test('with a quote that is not closed is refused as a whole, because what is in the quotes would count as gone', async () => {
    expect(await faultOf(lines(',', row('a'), ['"b', 'x', 'y', 'z'], row('c')))).toMatchObject({
      line: 3,
      message: 'The file ends in quotes: it was cut off, or a quote is not closed.',
    })
    const long = lines(
      ',',
      row('a'),
      ['"b', 'x', 'y', 'z'],
      ...Array.from({ length: 60_000 }, (_, n) => row(String(n))),
    )
    expect(await faultOf(long)).toMatchObject({
      line: 3,
      message: 'A row does not end: perhaps a quote is not closed.',
    })
  })

  test('that is empty is refused', async () => {
    for (const text of ['', '\n\n', '\ufeff'])
      expect((await faultOf(text, { format: 'CSV' })).message).toContain('The file is empty')
  })
})

describe('a file in JSONL', () => {
  test('has one object a line, and names the lines that have none', async () => {
    const text = `\ufeff${json('a')}\n\n[1]\nnull\n{"itemId":\n${json('b')}\r\n"x"\n${json('c')}`
    const { items, problems, rows } = await readAll(text, { format: 'JSONL' })
    expect([rows, items.map(({ line, item: { itemId } }) => [line, itemId])]).toEqual([
      7,
      [
        [1, 'a'],
        [6, 'b'],
        [8, 'c'],
      ],
    ])
    expect(problems.map(({ line, code }) => [line, code])).toEqual([3, 4, 5, 7].map((line) => [line, 'malformed_row']))
  })

  test('that was cut off in its last line is refused as a whole', async () => {
    for (const text of [`${json('a')}\n${json('b').slice(0, -1)}`, '\ufeff{"itemId":"a', `${json('a')}\n{`])
      expect((await faultOf(text, { format: 'JSONL' })).message).toContain('The file ends early')
    expect((await readAll(`${json('a')}\n{"itemId"}`, { format: 'JSONL' })).problems).toMatchObject([{ line: 2 }])
  })

  test('has no numbers as ids that a double cannot hold: they would be those of other items', async () => {
    const text = [json('a'), json('a')].join('\n').replaceAll('"a"', '12345678901234567890')
    const { problems, items } = await readAll(text.replace('890', '891'), { format: 'JSONL' })
    expect(items).toEqual([])
    expect(new Set(problems.map(({ line, code }) => `${line} ${code}`))).toEqual(new Set(['1 bad_id', '2 bad_id']))
    expect(await ids(json('a').replace('"a"', '123456789012345'), { format: 'JSONL' })).toEqual(['123456789012345'])
  })

  test('knows the names of OpenAI, and skips what is not to be found', async () => {
    const { items, problems } = await readAll(
      [
        {
          item_id: 'a',
          group_id: 'g',
          title: 'A',
          url: 'https://shop.example.com/a',
          price: '1.50 EUR',
          availability: 'pre_order',
          additional_image_urls: 'https://a.example.com/1,https://a.example.com/2',
          sale_price_start_date: '2026-11-01',
          product_category: 'Home > Garden',
          seller_name: 'Acme',
          is_eligible_search: true,
          is_eligible_checkout: false,
        },
        { item_id: 'b', title: 'B', url: 'https://shop.example.com/b', price: '1.50 EUR', is_eligible_search: false },
        { item_id: 'c', title: 'C', url: 'https://shop.example.com/c', price: '1.50 EUR', availability: 'unknown' },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    )
    expect(items.map(({ item: each }) => each)).toMatchObject([
      {
        itemId: 'a',
        productId: 'g',
        availability: 'PREORDER',
        additionalImageLinks: ['https://a.example.com/1', 'https://a.example.com/2'],
        saleFrom: '2026-11-01T00:00:00.000Z',
        categories: ['Home', 'Garden'],
        attributes: {},
      },
      { itemId: 'c', availability: 'OUT_OF_STOCK' },
    ])
    expect(problems.map(({ itemId, code, isWarning }) => [itemId, code, isWarning])).toEqual([
      ['b', 'not_eligible', false],
      ['c', 'replaced', true],
    ])
  })

  test('names items that are deleted', async () => {
    const { items, deleted } = await readAll(`${json('a')}\n{"itemId":"b","deleted":true}`)
    expect([items.length, deleted]).toEqual([1, [{ line: 2, itemId: 'b' }]])
  })
})

test('a page of Shopify has a row for each variant', async () => {
  const product = {
    id: 7,
    title: 'Shirt',
    handle: 'shirt',
    vendor: 'Acme',
    product_type: 'Clothing',
    tags: ['summer', 'sale'],
    options: [{ name: 'Color' }, { name: 'Size' }],
    images: [{ src: 'https://cdn.example.com/1.jpg' }, { src: 'https://cdn.example.com/2.jpg' }],
    variants: [
      { id: 71, option1: 'Blue', option2: 'M', price: '14.99', compare_at_price: '19.99', available: true, sku: 'S-M' },
      {
        id: 72,
        option1: 'Blue',
        option2: 'L',
        price: '19.99',
        compare_at_price: '',
        available: false,
        sku: '',
        featured_image: { src: 'https://cdn.example.com/2.jpg' },
      },
    ],
  }
  const only = { id: 8, title: 'Mug', handle: 'mug', variants: [{ id: 81, option1: 'Default Title', price: '5.00' }] }
  const { items, problems } = await readAll(JSON.stringify({ products: [product, only, { id: 9 }] }), {
    url: 'https://shop.example.com/products.json',
  })
  expect(items.map(({ item: each }) => each)).toMatchObject([
    {
      itemId: '71',
      productId: '7',
      title: 'Shirt, Blue, M',
      link: 'https://shop.example.com/products/shirt',
      price: 199_900,
      salePrice: 149_900,
      currency: 'EUR',
      brand: 'Acme',
      sku: 'S-M',
      categories: ['Clothing'],
      labels: ['summer', 'sale'],
      attributes: { Color: 'Blue', Size: 'M' },
      imageLink: 'https://cdn.example.com/1.jpg',
      additionalImageLinks: ['https://cdn.example.com/2.jpg'],
      availability: 'IN_STOCK',
    },
    {
      itemId: '72',
      availability: 'OUT_OF_STOCK',
      price: 199_900,
      salePrice: null,
      imageLink: 'https://cdn.example.com/2.jpg',
      additionalImageLinks: ['https://cdn.example.com/1.jpg'],
    },
    { itemId: '81', title: 'Mug', attributes: {} },
  ])
  expect(problems).toMatchObject([{ line: 4, code: 'malformed_row' }])
  expect((await faultOf('{"products":[{"id":1', { format: 'SHOPIFY_JSON' })).message).toContain('ends early')
  expect((await faultOf(`{"products":["${'a'.repeat(33 << 20)}`)).message).toBe(
    'A page of products must have at most 32 MiB.',
  )
})

test('a page of Shopify with very many variants is read as far as somebody wants', async () => {
  const page = `{"products":[{"variants":[${'{},'.repeat(490_000)}{}]}]}`
  const batches = readFeed({ ...source, format: 'SHOPIFY_JSON' }, inPieces(page), { rowsPerBatch: 100 })
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 5; count += 1)
    expect((await batches.next()).value).toMatchObject({ rows: 100, items: [] })
  await batches.return(undefined)
  // All of them would be problems in memory: some gigabytes.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(500 << 20)
})

test.each([
  ['objects', `[${'{},'.repeat(500_000)}{}]`],
  ['lists in lists', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
  ['numbers', `[${'1,'.repeat(1_000_000)}1]`],
])('a page of Shopify with a million %s is refused before it is parsed', async (_, variants) => {
  const page = `{"products":[{"variants":${variants}}]}`
  await expect(readAll(page)).rejects.toThrow('A page of products must have at most 1,000,000 values.')
})

describe('a row of JSON', () => {
  test('that is nested deeply is broken, and the next ones are read', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const lines = `${json('a')}\n{"itemId":"b","color":${deep}}\n${json('c')}`
    const { items, problems } = await readAll(lines)
    expect(items.map(({ line }) => line)).toEqual([1, 3])
    expect(problems).toMatchObject([{ line: 2, code: 'malformed_row', message: 'Is nested more than 32 levels deep.' }])
    const page = `{"products":[{"id":1,"tags":${deep},"variants":[{"id":2}]}]}`
    expect((await readAll(page)).problems).toMatchObject([{ line: 1, message: 'Is nested more than 32 levels deep.' }])
  })

  // `toString` of an object can be a number, and then the object is no text.
  const name = fc.constantFrom(
    ...['toString', 'valueOf', '__proto__', 'toJSON', 'itemId', 'title', 'link', 'price', 'currency', 'salePrice'],
    ...['categories', 'labels', 'attributes', 'additionalImageLinks', 'stock', 'availability', 'adult', 'deleted'],
    ...['color', 'saleDates', 'saleFrom', 'custom_label_0', 'id', 'variants', 'options', 'tags', 'images', 'option1'],
    ...['compare_at_price', 'product_type', 'featured_image', 'name', 'src', 'handle'],
  )
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, -1, 1e300, '', ' ', 'EUR', '1.50 EUR', 'a > b', 'https://a.example.com/1', '\0'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 8 }).map((fields) => Object.fromEntries(fields)),
    ),
  }))

  test.each(['JSONL', 'SHOPIFY_JSON'] as const)('of %s can have anything anywhere', async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (values) => {
        const rows = format === 'JSONL' ? values : [{ id: 1, variants: values }, ...values]
        const text =
          format === 'JSONL' ? rows.map((row) => JSON.stringify(row)).join('\n') : JSON.stringify({ products: rows })
        const read = await readAll(text, { format })
        expect(read.rows).toBeGreaterThanOrEqual(read.items.length + read.deleted.length)
      }),
      { numRuns: runsOf(500) },
    )
  })
})

describe('a row of 100 MB', () => {
  async function* endless(before: string, after: string) {
    yield Buffer.from(before)
    const piece = Buffer.alloc(1 << 20, 'a')
    for (let count = 0; count < 100; count += 1) yield piece
    yield Buffer.from(after)
  }

  test.each([
    { format: 'JSONL', before: `${json('a')}\n{"itemId":"`, after: `"}\n${json('b')}\n` },
    {
      format: 'CSV',
      before: 'id,title,link,price\na,A,https://shop.example.com/a,1\n',
      after: '\nb,B,https://shop.example.com/b,1\n',
    },
  ] as const)('is one broken row of $format, and the next ones are read', async ({ format, before, after }) => {
    const { items, problems, rows } = await readAll(endless(before, after), { format })
    expect([rows, items.map(({ item: { itemId } }) => itemId)]).toEqual([3, ['a', 'b']])
    expect(problems).toMatchObject([{ code: 'malformed_row', message: 'A row must have at most 1 MiB.' }])
  })
})

describe('a packed file', () => {
  const text = rss(item('a'))

  test('is unpacked as its first bytes say, once or twice, in any pieces', async () => {
    expect(await ids(gzipSync(text))).toEqual(['a'])
    expect(await ids(gzipSync(gzipSync(text)))).toEqual(['a'])
    expect(await ids(inPieces(gzipSync(text), 1))).toEqual(['a'])
    expect((await faultOf(gzipSync(gzipSync(gzipSync(text))))).message).toBe('The file is packed more than twice.')
  })

  test('that was cut off or is broken is refused', async () => {
    const packed = gzipSync(rss(Array.from({ length: 500 }, (_, n) => item(String(n * 7919))).join('')))
    expect((await faultOf(packed.subarray(0, -20))).message).toBe('The file ends early: its gzip data is not complete.')
    const broken = Buffer.from(packed)
    broken.fill(0xff, 1_000, 1_100)
    expect((await faultOf(broken)).message).toMatch(/gzip data/)
  })

  test('is refused when more comes out of it than its limit, soon after', async () => {
    // Members of 16 KB, each 16 MB when unpacked.
    const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 << 20, 'a'))))
    const limits = { maxReceivedBytes: 1 << 20, maxUnpackedBytes: 1 << 20 }
    let given = 0
    const counted = (async function* () {
      for await (const piece of inPieces(bomb, 1024)) {
        given += piece.length
        yield piece
      }
    })()
    expect((await faultOf(counted, { format: 'CSV' }, { limits })).message).toBe(
      'The unpacked file is larger than 1,048,576 bytes.',
    )
    expect(given).toBeLessThan(bomb.length / 4)
    expect((await faultOf(gzipSync(bomb), { format: 'CSV' }, { limits })).message).toBe(
      'The unpacked file is larger than 1,048,576 bytes.',
    )
  })

  test('is refused when more is received than its limit', async () => {
    const limits = { maxReceivedBytes: 100, maxUnpackedBytes: 1 << 20 }
    expect((await faultOf(text, {}, { limits })).message).toBe('The file is larger than 100 bytes.')
  })

  test('a failure of its source is thrown as it is', async () => {
    const failing = (async function* () {
      yield gzipSync(text).subarray(0, 20)
      throw new Error('the connection is gone')
    })()
    await expect(readAll(failing)).rejects.toThrow('the connection is gone')
  })
})

describe('what is written is read again', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((text) => text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\ufffd-\uffff\ufeff]/gu, '').trim() || 'x')
  const plain = word.map((text) => text.replaceAll(/\s*>\s*/g, '-'))
  const link = fc.nat(9999).map((n) => `https://shop.example.com/p/${n}?a=1&b=<,>`)
  const amount = fc.nat(99_999_999)
  const orNull = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: null })
  const time = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000).toISOString())
  const anyItem: fc.Arbitrary<Item> = fc.record(
    {
      itemId: fc.nat().map((n) => `sku ${n}`),
      productId: word.map((text) => `p${text}`),
      title: word,
      description: orNull(word),
      link,
      imageLink: orNull(link),
      additionalImageLinks: fc.uniqueArray(link, { maxLength: 3 }),
      availability: fc.constantFrom(...availabilities),
      stock: orNull(fc.nat(1000)),
      price: amount,
      salePrice: orNull(amount),
      saleFrom: orNull(time),
      saleUntil: orNull(time),
      currency: fc.constantFrom('EUR', 'USD', 'JPY'),
      cost: orNull(amount),
      brand: orNull(word),
      gtin: orNull(word),
      mpn: orNull(word),
      sku: orNull(word),
      categories: fc.array(plain, { maxLength: 3 }),
      condition: orNull(fc.constantFrom(...conditions)),
      adult: fc.boolean(),
      labels: fc.uniqueArray(
        plain.map((text) => text.replaceAll(',', ';')),
        { maxLength: 3 },
      ),
      attributes: fc.dictionary(fc.stringMatching(/^[a-z]{3,8}x$/), word, { maxKeys: 3 }),
    },
    { noNullPrototype: true },
  )

  test.each(Object.entries(writers))('in %s', async (format, write) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyItem, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 200 }),
        async (given, size) => {
          const { items, problems } = await readAll(inPieces(write(given), size), { format: format as 'CSV' })
          expect(problems).toEqual([])
          expect(items.map(({ item: each }) => each)).toEqual(given)
        },
      ),
      { numRuns: runsOf(100) },
    )
  })
})
