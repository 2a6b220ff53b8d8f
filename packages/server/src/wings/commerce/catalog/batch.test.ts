import { expect, test } from 'vitest'
import type { LiveItem } from '../../model/catalog/index.ts'
import { type CheckedBatch, checkBatch, planBatch, type SentBatch } from './batch.ts'

const item = (itemId: string, more: object = {}) => ({
  ...{ itemId, title: 'Shirt', link: 'https://shop.example/1', price: '19.99', currency: 'EUR' },
  ...more,
})

function checked(sent: Partial<SentBatch>): CheckedBatch {
  const batch = checkBatch({ upsert: [], delete: [], ...sent }, null)
  if ('issues' in batch) throw new Error(JSON.stringify(batch.issues))
  return batch
}

test.each<[Partial<SentBatch>, PropertyKey[], string]>([
  [{ upsert: [item('a'), item('b', { price: '1,5' })] }, ['upsert', 1, 'price'], 'decimal'],
  [{ upsert: [item('a', { attributes: { 'size.eu': {} } })] }, ['upsert', 0, 'attributes', 'size.eu'], 'text'],
  [{ upsert: [item('a'), item('a')] }, ['upsert', 1, 'itemId'], 'only once'],
  [{ upsert: [item('a')], delete: ['a'] }, ['delete', 0], 'only once'],
  [{ delete: ['a', ' a '] }, ['delete', 1], 'only once'],
  [{ delete: [''] }, ['delete', 0], '1 to 100 characters'],
])('%j is refused at %j', (sent, path, message) =>
  expect(checkBatch({ upsert: [], delete: [], ...sent }, null)).toEqual({
    issues: [{ path, message: expect.stringContaining(message) }],
  }),
)

test('a warning names its item', () =>
  expect(checked({ upsert: [item('a', { stock: -1 })] }).warnings).toMatchObject([{ itemId: 'a', code: 'replaced' }]))

const live = (itemId: string, more: Partial<LiveItem> = {}): LiveItem => ({
  ...{ itemId, productId: itemId, sourceId: null, hash: 'other' },
  ...more,
})

test('a batch adds, replaces, removes, and leaves what is the same', () => {
  const batch = checked({
    upsert: [item('new', { productId: 'P' }), item('same'), item('changed')],
    delete: ['gone', 'never'],
  })
  const same = live('same', { hash: batch.items[1]!.hash })
  const plan = planBatch(batch, [same, live('changed', { productId: 'Q' }), live('gone')])
  expect(plan).toEqual({
    closed: ['changed', 'gone'],
    inserted: [batch.items[0], batch.items[2]],
    productIds: ['Q', 'gone', 'P', 'changed'],
    changes: { added: 1, changed: 1, removed: 1, unchanged: 2 },
  })
})

test('items of a source are refused, each of them', () => {
  const batch = checked({ upsert: [item('a'), item('b')], delete: ['c'] })
  const owned = ['b', 'c'].map((id) => live(id, { sourceId: 'main-feed' }))
  expect(planBatch(batch, owned)).toMatchObject({
    issues: [{ path: ['upsert', 1, 'itemId'] }, { path: ['delete', 0] }],
  })
})
