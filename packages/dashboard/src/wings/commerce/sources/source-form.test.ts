import { describe, expect, test } from 'vitest'
import { nextRun } from '../schedules/next-run.ts'
import { scheduleOf } from '../schedules/schedule-values.ts'
import { scheduleInWords } from '../schedules/schedule-words.ts'
import type { Source } from './source.ts'
import { creationOf, inputOf, mappingFaults, newSource, rulesOf, shown, updateOf, valuesOf } from './source-form.ts'
import { sourceSteps, stepAfter, stepIn } from './source-steps.ts'
import { authInWords, fieldsOf, formatsOf, guardsInWords } from './source-words.ts'

const zone = 'Europe/Amsterdam'
const source: Source = {
  ...{ id: 's', projectId: 'p', key: 'main-feed', name: 'Main feed', type: 'PRODUCTS', mode: 'FULL' },
  ...{ format: 'AUTO', encoding: 'utf-8', url: 'https://shop.example/feed.xml', defaultCurrency: null },
  ...{ auth: { type: 'BASIC', username: 'svc', secret: '…WxYz' }, mapping: { cost: 'wholesale_price' } },
  guards: { maxRemovedShare: 0.2, maxSkippedShare: 0.1, maxPriceShiftShare: 0.2, minItems: 1 },
  schedule: { every: 'HOUR', at: '00:05', timezone: 'UTC' },
  ...{ envId: null, fields: null, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' },
}
const values = valuesOf(source, zone)

describe('the form of a source', () => {
  test('sends nothing that is as it was, and never the secret that is shown', () => {
    expect(values.secret).toBe('')
    expect(updateOf(values, source, zone)).toEqual({})
  })

  test.each([
    [{ name: 'Feed' }, { name: 'Feed' }],
    [{ secret: 'new' }, { auth: { type: 'BASIC', username: 'svc', secret: 'new' } }],
    [{ authType: 'NONE' as const }, { auth: null }],
    [
      { authType: 'HEADER' as const, header: 'X-Api-Key', secret: 'new' },
      { auth: { type: 'HEADER', header: 'X-Api-Key', secret: 'new' } },
    ],
    [{ from: 'FILE' as const }, { url: null, auth: null, schedule: null }],
    [{ defaultCurrency: ' EUR ' }, { defaultCurrency: 'EUR' }],
    [{ mapping: [{ key: 'sku', column: ' code ' }] }, { mapping: { sku: 'code' } }],
    [{ maxRemovedShare: 4_000 }, { guards: { ...source.guards, maxRemovedShare: 0.4 } }],
    [{ minutes: '30' }, { schedule: { every: 'HOUR', at: '00:30', timezone: 'UTC' } }],
    [{ every: 'NONE' as const }, { schedule: null }],
  ])('sends what has changed: %j', (change, body) =>
    expect(updateOf({ ...values, ...change }, source, zone)).toEqual(body),
  )

  test('of orders sends the one limit that they have', () => {
    const orders: Source = { ...source, type: 'ORDERS', mode: 'DELTA', guards: { maxSkippedShare: 0.1 } }
    expect(updateOf({ ...valuesOf(orders, zone), maxSkippedShare: 500 }, orders, zone)).toEqual({
      guards: { maxSkippedShare: 0.05 },
    })
  })

  test('begins with where the file comes from', () => {
    const begun = { ...newSource(zone), name: 'Main feed', url: ' https://shop.example/f ' }
    expect(creationOf(begun)).toEqual({
      name: 'Main feed',
      type: 'PRODUCTS',
      url: 'https://shop.example/f',
      auth: null,
    })
    expect(creationOf({ ...begun, from: 'FILE' })).toMatchObject({ url: null })
  })

  test.each([
    [
      { type: 'SUPPLEMENT' as const, fields: ['labels', 'cost'] },
      { type: 'SUPPLEMENT', fields: ['cost', 'labels'] },
    ],
    [{ type: 'ORDERS' as const }, { type: 'ORDERS', envId: 'production' }],
    [{ type: 'PRODUCTS' as const, fields: ['cost'] }, { type: 'PRODUCTS' }],
  ])('sends what only its type has: %j', (chosen, body) =>
    expect(creationOf({ ...newSource(zone, 'production'), name: 'N', from: 'FILE', ...chosen })).toEqual({
      ...{ name: 'N', url: null, auth: null },
      ...body,
    }),
  )

  test('of a supplement or of orders changes its fields and its environment', () => {
    const costs: Source = { ...source, type: 'SUPPLEMENT', fields: ['cost'] }
    expect(updateOf({ ...valuesOf(costs, zone), fields: ['cost', 'stock'] }, costs, zone)).toEqual({
      fields: ['cost', 'stock'],
    })
    const orders: Source = { ...source, type: 'ORDERS', mode: 'DELTA', envId: 'a', guards: { maxSkippedShare: 0.1 } }
    expect(updateOf({ ...valuesOf(orders, zone), envId: 'b' }, orders, zone)).toEqual({ envId: 'b' })
    const { fields } = rulesOf(() => false)
    expect(fields([], valuesOf(costs, zone))).toBe('Choose what it sets.')
    expect(fields([], values)).toBeUndefined()
  })

  test('asks for a secret unless one is kept', () => {
    const typed = { ...values, authType: 'BEARER' as const }
    expect(rulesOf(() => false).secret('', typed)).toBe('Enter the secret.')
    expect(rulesOf(() => true).secret('', typed)).toBeUndefined()
  })

  test('names the row of the mapping that is wrong', () => {
    const mapping = [
      { key: 'cost', column: 'a' },
      { key: '', column: 'b' },
      { key: 'cost', column: ' ' },
    ]
    expect(mappingFaults({ ...values, mapping })).toEqual({
      'mapping.1.key': 'Choose a field.',
      'mapping.2.key': 'Cost already has a column.',
      'mapping.2.column': 'Enter the name of a column.',
    })
    expect(inputOf(['mapping', 'cost'], values)).toBe('mapping.0.column')
    expect(inputOf(['auth', 'secret'], values)).toBe('secret')
    expect(inputOf(['guards', 'minItems'], values)).toBe('minItems')
    expect(inputOf(['schedule', 'cron'], { ...values, every: 'CRON' })).toBe('cron')
    expect(inputOf(['name'], values)).toBeUndefined()
  })

  test('says values of a conflict in words', () => {
    expect(shown('maxRemovedShare', 4_000)).toBe('40\u00a0%')
    expect(shown('secret', 'hush')).toBe('a new one')
    expect(shown('mapping', [{ key: 'cost', column: 'wholesale' }])).toBe('Cost from wholesale')
    expect(shown('name', 'Feed')).toBeUndefined()
  })
})

test('the steps follow each other, and E opens the first one', () => {
  expect(sourceSteps.map(({ step }) => stepAfter(step))).toEqual(['preview', 'guards', 'schedule', undefined])
  expect([stepIn('edit'), stepIn('guards'), stepIn('other')]).toEqual(['from', 'guards', undefined])
})

describe('a schedule', () => {
  test.each([
    [{ every: 'NONE' }, null, 'Only when someone asks for it'],
    [{ every: 'HOUR', minutes: '7' }, { every: 'HOUR', at: '00:07', timezone: zone }, 'Every hour at 7 minutes past'],
    [{ every: 'HOUR', minutes: '0' }, { every: 'HOUR', at: '00:00', timezone: zone }, 'Every hour, on the hour'],
    [{ every: 'DAY', at: '03:15' }, { every: 'DAY', at: '03:15', timezone: zone }, 'Every day at 03:15 (Amsterdam)'],
    [
      { every: 'CRON', cron: '*/20 * * * *' },
      { cron: '*/20 * * * *', timezone: zone },
      'By the pattern */20 * * * * (Amsterdam)',
    ],
  ] as const)('%j', (typed, schedule, words) => {
    expect(scheduleOf({ ...newSource(zone), ...typed })).toEqual(schedule)
    expect(scheduleInWords(schedule)).toBe(words)
  })

  test('is none while it cannot be read', () =>
    expect(scheduleOf({ ...newSource(zone), every: 'HOUR', minutes: '75' })).toBeUndefined())

  const now = new Date('2026-12-01T14:20:00.000Z')
  test.each([
    [{ every: 'HOUR', at: '00:15', timezone: zone }, '2026-12-01T15:15:00.000Z'],
    [{ every: 'DAY', at: '03:15', timezone: zone }, '2026-12-02T02:15:00.000Z'],
    [{ cron: '*/20 * * * *', timezone: 'UTC' }, '2026-12-01T14:40:00.000Z'],
    [{ cron: '*/2', timezone: 'UTC' }, undefined],
  ] as const)('%j runs next at %s', (schedule, next) => expect(nextRun(schedule, now)?.toISOString()).toBe(next))
})

test('a type of source has its own fields and formats', () => {
  expect(Object.keys(fieldsOf('SUPPLEMENT', ['cost']))).toEqual(['itemId', 'sku', 'gtin', 'currency', 'cost'])
  expect(fieldsOf('ORDERS', [])).toMatchObject({ orderId: 'Order id', refundedAmount: 'Refunded amount' })
  expect(Object.keys(formatsOf('ORDERS'))).toEqual(['AUTO', 'CSV', 'TSV', 'JSONL'])
})

test('limits and sign-ins are said in words', () => {
  expect(guardsInWords(source)).toEqual([
    'More than 20\u00a0% of its items would be removed.',
    'More than 10\u00a0% of the rows would be skipped because something is wrong with them.',
    'More than 20\u00a0% of its items would get a price above double, below half or in a different currency.',
    'The file has no item.',
  ])
  expect(guardsInWords({ ...source, mode: 'DELTA' })).toHaveLength(2)
  expect(guardsInWords({ ...source, type: 'SUPPLEMENT' })[0]).toBe(
    'More than 20\u00a0% of the items that it describes would lose their values.',
  )
  expect(authInWords(source.auth)).toBe('As svc, with a password (…WxYz)')
  expect(authInWords(null)).toBe('No sign-in')
})
