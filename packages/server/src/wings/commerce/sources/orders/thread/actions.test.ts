import { expect, test } from 'vitest'
import { spool } from '../../sync/file/store.ts'
import { packOrders, unpackedOrders } from '../packed.ts'
import { readOrders } from '../read-orders.ts'
import { packInThread } from './actions.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const source = { format: 'AUTO', encoding: 'utf-8', mapping: {}, defaultCurrency: 'EUR', url: null } as const
const of = { source, contentType: 'text/csv', now }
const row = (id: number) =>
  `${id},2026-11-19T10:${String(id % 60).padStart(2, '0')}Z,${id % 700 === 0 ? 'free' : '5'},A,1,5`
const csv = [
  'order_id,placed_at,total,item_id,quantity,price',
  ...Array.from({ length: 1_500 }, (_, at) => row(at + 1)),
]
async function* bytes() {
  for (let at = 0; at < csv.length; at += 100) yield Buffer.from(`${csv.slice(at, at + 100).join('\n')}\n`)
}

test('a thread reads orders as the process does, and they come back from the disk as they were', async () => {
  const plain = { orders: [] as unknown[], problems: [] as unknown[] }
  for await (const { orders, problems } of readOrders(of, bytes())) {
    plain.orders.push(...orders)
    plain.problems.push(...problems)
  }
  expect([plain.orders.length, plain.problems.length]).toEqual([1_498, 2])
  for (const batches of [packOrders(of, bytes()), packInThread(of, bytes(), new AbortController().signal)]) {
    const kept = await spool()
    const sums = { taken: 0, problems: [] as unknown[] }
    for await (const { orders, problems, taken } of batches) {
      kept.add(orders)
      sums.taken += taken
      sums.problems.push(...problems)
    }
    for (let time = 0; time < 2; time += 1) {
      const orders: unknown[] = []
      for await (const portion of kept.portions()) orders.push(...unpackedOrders(portion))
      expect(orders).toEqual(plain.orders)
    }
    await kept.close()
    expect(sums).toEqual({ taken: 1_498, problems: plain.problems })
  }
})
