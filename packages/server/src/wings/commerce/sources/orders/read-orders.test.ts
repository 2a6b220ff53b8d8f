import { expect, test } from 'vitest'
import { maxOrderItems } from '../../../measuring/orders/index.ts'
import { readOrders } from './read-orders.ts'
import { orderLines, type RawOrder } from './rows.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const source = { format: 'AUTO', encoding: 'utf-8', mapping: {}, defaultCurrency: 'EUR', url: null } as const
const head = 'order_id,placed_at,unit,total,status,item_id,quantity,price,cost,refunded_quantity,refunded_amount'

async function read(text: string, more: object = {}) {
  const found = { orders: [] as unknown[], problems: [] as unknown[], withdrawn: [] as string[], rows: 0 }
  async function* bytes() {
    for (let at = 0; at < text.length; at += 50) yield Buffer.from(text.slice(at, at + 50))
  }
  const reading = { source: { ...source, ...more }, contentType: null, now }
  for await (const batch of readOrders(reading, bytes())) {
    found.orders.push(...batch.orders)
    found.problems.push(...batch.problems)
    found.withdrawn.push(...batch.withdrawn)
    found.rows += batch.rows
  }
  return found
}

test('the lines of an order in CSV are together, and its fields need to stand on one of them', async () => {
  const { orders, problems, rows } = await read(
    `${head}\n1,2026-11-19T10:00Z,u-1,30,,A,1,10,4,,\n1,,,,,B,2,10,,1,10\n2,2026-11-19T11:00Z,,5,CANCELLED,A,1,5,,,\n`,
  )
  expect([problems, rows]).toEqual([[], 2])
  expect(orders).toMatchObject([
    {
      ...{ orderId: '1', unit: 'u-1', total: 300_000, refunded: 100_000, status: 'PARTIALLY_REFUNDED' },
      items: [
        { itemId: 'A', quantity: 1, cost: 40_000 },
        { itemId: 'B', quantity: 2, refundedQuantity: 1, cost: null },
      ],
    },
    { orderId: '2', unit: null, status: 'CANCELLED' },
  ])
})

test('a column that comes twice with different values skips the order, because nobody knows which is meant', async () => {
  const { orders, problems } = await read(
    'order_id,placed_at,total,Total,item_id,quantity,price,price\n' +
      '1,2026-11-19T10:00Z,30,30,A,1,30,30\n2,2026-11-19T10:00Z,30,31,A,1,30,30\n3,2026-11-19T10:00Z,30,30,A,1,30,3\n',
  )
  expect(orders).toMatchObject([{ orderId: '1', total: 300_000, items: [{ price: 300_000 }] }])
  expect(problems).toMatchObject([
    { line: 3, itemId: '2', code: 'malformed_row', message: 'total must have one value (got several).' },
    { line: 4, itemId: '3', code: 'malformed_row', message: 'price must have one value (got several).' },
  ])
})

test('what is wrong with an order is told with its line and id', async () => {
  const { orders, problems, rows } = await read(
    [
      head,
      '1,2026-11-19T10:00Z,,30,,A,1,10,,,',
      '1,,,31,,B,1,10,,,',
      '2,never,,5,,A,1,5,,,',
      '3,2026-11-19T10:00Z,,5,,A,1,5,,,',
      '1,2026-11-19T10:00Z,,30,,A,1,10,,,',
      '3,2026-11-19T10:00Z,,5,,A,1,5,,,',
      '1,,,,,B,1,10,,,',
    ].join('\n'),
  )
  expect(rows).toBe(6)
  expect(orders).toMatchObject([{ orderId: '3' }])
  expect(problems).toMatchObject([
    { line: 2, itemId: '1', code: 'malformed_row', message: 'The lines of an order must have the same total.' },
    { line: 4, itemId: '2', code: 'bad_time' },
    { line: 6, itemId: '1', code: 'duplicate_id' },
    { line: 7, itemId: '3', code: 'duplicate_id' },
    { line: 8, itemId: '1', code: 'duplicate_id' },
  ])
})

test('an order whose lines stand apart does not count, in whichever way its id is written', async () => {
  const row = (id: string, item: string, total = '30') => `${id},2026-11-19T10:00Z,u-1,${total},,${item},1,10,4,,`
  const together = [row('1', 'A'), row(' 1 ', 'B')]
  const twice = [row('2', 'A'), row('3', 'A'), row('2', 'A')]
  const apart = [row('4', 'A'), row('5', 'A'), row('4', 'B'), row('6', 'A'), row('4', 'C'), row('5', 'A', '')]
  const { orders, withdrawn, problems, rows } = await read([head, ...together, ...twice, ...apart].join('\n'))
  expect(orders).toMatchObject([
    { orderId: '1', items: [{ itemId: 'A' }, { itemId: 'B' }] },
    ...['2', '3', '4', '5', '6'].map((orderId) => ({ orderId, items: [{ itemId: 'A' }] })),
  ])
  expect(withdrawn).toEqual(['4', '5'])
  // Each order that does not count is one problem.
  expect(problems.length).toBe(rows - orders.length + withdrawn.length)
  expect(problems.map((each) => (each as { line: number }).line)).toEqual([6, 9, 9, 11, 12, 12])
})

test('orders beside a broken line are skipped, because they may not be whole', async () => {
  const row = (id: number) => `${id},2026-11-19T10:00Z,,5,,A,1,5,,,`
  const { orders, problems } = await read([head, row(1), row(2), 'broken', row(3), row(4)].join('\n'))
  expect(orders).toMatchObject([{ orderId: '1' }, { orderId: '4' }])
  expect(problems).toMatchObject([
    { line: 4, itemId: null, code: 'malformed_row' },
    { line: 3, itemId: '2', code: 'malformed_row' },
    { line: 5, itemId: '3', code: 'malformed_row' },
  ])
})

test('JSONL has an order on each line, with the names of our API or of CSV', async () => {
  const line = { itemId: 'A', quantity: 1, price: '5.00', cost: null, productId: 'P' }
  const ours = { orderId: '1', placedAt: '2026-11-19T10:00:00.000Z', total: '5.00', refunded: '1.00', items: [line] }
  const theirs = {
    order_id: 2,
    placed_at: '2026-11-19 10:00',
    total: 5,
    items: [{ item_id: 'A', quantity: 1, price: 5 }],
  }
  const named = { Name: '#3', placed_at: '2026-11-19 10:00', total: 5, email: 'a@example.test', items: [line] }
  const { orders, problems } = await read(
    [ours, theirs, named, { ...ours, orderId: '4', items: {} }, 'x'].map((each) => JSON.stringify(each)).join('\n'),
  )
  expect(orders).toMatchObject([{ orderId: '1', refunded: 10_000, status: 'PARTIALLY_REFUNDED' }, { orderId: '2' }])
  expect(problems).toMatchObject([
    { line: 3, itemId: null, code: 'missing_id' },
    { line: 4, itemId: '4', code: 'malformed_row', message: 'items must be a list of objects.' },
    { line: 5, code: 'malformed_row' },
  ])
  const mapped = await read(JSON.stringify(named), { mapping: { orderId: 'name' } })
  expect(mapped.orders).toMatchObject([{ orderId: '#3' }])
  expect(JSON.stringify(mapped.orders)).not.toContain('example.test')
})

test('portions are limited by orders and by lines', async () => {
  const sizes: number[] = []
  const items = Array.from({ length: 100 }, () => ({ itemId: 'A', quantity: 1, price: 1 }))
  const text = Array.from({ length: 120 }, (_, orderId) =>
    JSON.stringify({ orderId, placedAt: '2026-11-19 10:00', total: 5, items }),
  ).join('\n')
  async function* bytes() {
    yield Buffer.from(text)
  }
  for await (const { orders } of readOrders({ source, contentType: null, now }, bytes())) sizes.push(orders.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(120)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
})

test('other formats and files that end early are refused as a whole', async () => {
  await expect(read('<rss/>')).rejects.toThrow('The file must be CSV, TSV or JSONL.')
  await expect(read('')).rejects.toThrow('The file is empty')
})

test('of an order with more lines than one can have, no more are kept than it takes to see that', () => {
  const found: RawOrder[] = []
  const lines = orderLines({}, (order) => void found.push(order))
  for (let line = 2; line < 10_000; line += 1) lines.take({ line, fields: { orderId: '1', itemId: `SKU-${line}` } })
  lines.end()
  expect(found.map(({ items }) => items.length)).toEqual([maxOrderItems + 1])
})

test('an id that is no text is refused, whatever it is', async () => {
  const order = (orderId: unknown) => JSON.stringify({ orderId, placedAt: '2026-11-19T10:00Z', total: 5, items: [] })
  const ids = [{ toString: 1, valueOf: 1 }, ['1'], true, 1.5, 'a\0b']
  const { problems, orders } = await read(ids.map(order).join('\n'), { format: 'JSONL' })
  expect(orders).toEqual([])
  expect(new Set(problems.map((problem) => (problem as { line: number }).line)).size).toBe(ids.length)
})
