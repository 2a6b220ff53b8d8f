import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Arrival, maxAgeMs, maxValue, minValue, readEvent } from './event.ts'
import type { RejectionCode } from './fault.ts'

const receivedAt = new Date('2026-11-23T12:00:00.000Z')
const id = '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'
const rule = { ruleId: 'rule-id', flagKey: 'checkout', variations: new Map([['on', 'on-id']]) }
const arrival: Arrival = {
  envId: 'env-id',
  receivedAt,
  ruleNamed: (name) => (name === '3' ? rule : undefined),
  isBot: false,
  lacksKeyFor: 'NONE',
  isBotAgent: (userAgent) => userAgent === 'crawler',
}
const ts = '2026-11-23T11:59:00.000Z'
const exposure = { type: 'exposure', id, ts, unit: 'u-17', ruleId: '3', variationKey: 'on' }
const sale = { type: 'track', id, ts, unit: 'u-17', eventKey: 'order_paid', value: 49.9 }
const read = (event: unknown, more: Partial<Arrival> = {}) => readEvent(event, { ...arrival, ...more })

test.each([
  ['NONE', undefined, undefined],
  ['TRACKED_EVENTS', undefined, 'ingest_key_required'],
  ['ALL', 'ingest_key_required', 'ingest_key_required'],
] as const)('without the ingest key that %s needs, the codes are %s and %s', (lacksKeyFor, exposed, tracked) => {
  const codes = [exposure, sale].map((event) => {
    const found = read(event, { lacksKeyFor })
    return 'code' in found ? found.code : undefined
  })
  expect(codes).toEqual([exposed, tracked])
  expect(read({ ...sale, type: 'click' }, { lacksKeyFor })).toMatchObject({ code: 'unsupported_type' })
})

test('an exposure names rule and variation by their ids', () => {
  expect(read({ ...exposure, id: id.toUpperCase(), flagKey: 'checkout', future: [1] })).toEqual({
    type: 'exposure',
    envId: 'env-id',
    id,
    unit: 'u-17',
    at: Date.parse(ts),
    clamped: false,
    ruleId: 'rule-id',
    variationId: 'on-id',
    kind: 0,
    dimensions: null,
  })
})

test('a tracked event has a key, and a value if it is given', () => {
  const { value: _, ...withoutValue } = sale
  expect(read(sale)).toMatchObject({ type: 'track', eventKey: 'order_paid', value: 49.9, kind: 0 })
  expect(read(withoutValue)).toMatchObject({ value: null })
  expect(read({ ...sale, value: null })).toMatchObject({ value: null })
})

test.each([
  [{ productId: 'G17', color: 'blue' }, 'G17'],
  [{ productId: ' G17 ' }, 'G17'],
  [{ productId: 17 }, '17'],
  [{ productId: '' }, undefined],
  [{ productId: 'x'.repeat(101) }, undefined],
  [{ productId: ['G17'] }, undefined],
  ['G17', undefined],
  [null, undefined],
])('a tracked event with the properties %j is about the product %j', (properties, productId) => {
  expect(read({ ...sale, properties })).toEqual({ ...(read(sale) as object), ...(productId && { productId }) })
})

const placed = { orderId: '7', currency: 'EUR', total: '5', items: [{ itemId: 'A', quantity: 1, price: '5.00' }] }
const asOrder = { type: 'order', id, ts, unit: 'u-17', order: placed }

test.each<[string, object]>([
  ['an event of its own type', asOrder],
  ['a tracked event with its fields as properties', { ...sale, eventKey: 'order', properties: placed }],
])('an order can be %s', (_name, told) => {
  expect(read(told)).toEqual({
    ...{ type: 'order', envId: 'env-id', unit: 'u-17', at: Date.parse(ts), orderId: '7', currency: 'EUR' },
    ...{ total: 50_000, tax: 0, shipping: 0, discount: 0, items: [{ itemId: 'A', quantity: 1, price: 50_000 }] },
  })
})

test.each<[string, unknown, RejectionCode, string]>([
  ['is no object', 'text', 'validation_failed', 'The event must be an object.'],
  ['is null', null, 'validation_failed', 'The event must be an object.'],
  ['is a list', [exposure], 'validation_failed', 'The event must be an object.'],
  [
    'has no type',
    { ...exposure, type: undefined },
    'validation_failed',
    'type must be exposure, track, order or error.',
  ],
  [
    'has a key that is reserved for orders',
    { ...sale, eventKey: 'order.refund' },
    'validation_failed',
    'eventKey "order.refund" is reserved: orders give these events by themselves.',
  ],
  ['is an order without fields', { ...asOrder, order: undefined }, 'validation_failed', 'order must be an object'],
  [
    'tracks an order without fields',
    { ...sale, eventKey: 'order' },
    'validation_failed',
    'properties must be an object',
  ],
  [
    'has an unknown type',
    { ...sale, type: 'click' },
    'unsupported_type',
    'type must be exposure, track, order or error.',
  ],
  ['has no id', { ...sale, id: undefined }, 'validation_failed', 'id must be a text of 1 to 128 characters'],
  ['has an empty id', { ...sale, id: '' }, 'validation_failed', 'id must be a text of 1 to 128 characters'],
  ['has a number as id', { ...sale, id: 1 }, 'validation_failed', 'id must be a text of 1 to 128 characters'],
  ['has a long id', { ...sale, id: 'e'.repeat(129) }, 'validation_failed', 'id must be a text of 1 to 128 characters'],
  ['has no unit', { ...sale, unit: undefined }, 'validation_failed', 'unit must be a text of 1 to 512 characters.'],
  ['has an empty unit', { ...sale, unit: '' }, 'validation_failed', 'unit must be a text of 1 to 512 characters.'],
  ['has a number as unit', { ...sale, unit: 17 }, 'validation_failed', 'unit must be a text of 1 to 512 characters.'],
  ['has a long unit', { ...sale, unit: 'u'.repeat(513) }, 'validation_failed', 'unit must be'],
  ['has NUL in its unit', { ...sale, unit: 'u\0' }, 'validation_failed', 'unit must be'],
  ['has half a character in its unit', { ...sale, unit: 'u\ud800' }, 'validation_failed', 'unit must be'],
  ['has no time', { ...sale, ts: undefined }, 'validation_failed', 'ts must be an ISO 8601 time'],
  ['has a time without a zone', { ...sale, ts: '2026-11-23T11:59:00' }, 'validation_failed', 'ts must be'],
  ['has 30 February as its day', { ...sale, ts: '2026-02-30T11:59:00Z' }, 'validation_failed', 'ts must be'],
  ['has 29 February in a common year', { ...sale, ts: '2026-02-29T11:59:00Z' }, 'validation_failed', 'ts must be'],
  ['has an hour too many', { ...sale, ts: '2026-11-23T25:59:00Z' }, 'validation_failed', 'ts must be'],
  ['has an impossible zone', { ...sale, ts: '2026-11-23T11:59:00+99:00' }, 'validation_failed', 'ts must be'],
  ['has an impossible time', { ...sale, ts: '2026-13-23T11:59:00Z' }, 'validation_failed', 'ts must be'],
  ['has an endless time', { ...sale, ts: Number.POSITIVE_INFINITY }, 'validation_failed', 'ts must be'],
  ['names no rule', { ...exposure, ruleId: undefined }, 'validation_failed', 'ruleId must be the id of the rule'],
  ['names a rule by a number', { ...exposure, ruleId: 3 }, 'validation_failed', 'ruleId must be the id of the rule'],
  [
    'names an unknown rule',
    { ...exposure, ruleId: '4' },
    'unknown_rule',
    'ruleId "4" is not a rule of this environment.',
  ],
  [
    'names a rule in many words',
    { ...exposure, ruleId: 'r'.repeat(100) },
    'unknown_rule',
    `ruleId "${'r'.repeat(60)}…" is`,
  ],
  ['names no variation', { ...exposure, variationKey: undefined }, 'validation_failed', 'variationKey must be a text.'],
  [
    'names an unknown variation',
    { ...exposure, variationKey: 'x' },
    'unknown_variation',
    'variationKey "x" is not a variation of the flag checkout.',
  ],
  [
    'has no event key',
    { ...sale, eventKey: undefined },
    'validation_failed',
    'eventKey must be a text of 1 to 128 characters.',
  ],
  ['has a long event key', { ...sale, eventKey: 'e'.repeat(129) }, 'validation_failed', 'eventKey must be'],
  ['has a text as value', { ...sale, value: '49.9' }, 'validation_failed', 'value must be a number'],
  ['has a value that is too large', { ...sale, value: 1.1e12 }, 'validation_failed', 'value must be a number'],
  ['has an endless value', { ...sale, value: Number.POSITIVE_INFINITY }, 'validation_failed', 'value must be a number'],
])('an event that %s is rejected', (_what, event, code, message) => {
  const fault = read(event)
  expect(fault).toMatchObject({ code })
  expect((fault as { message: string }).message).toContain(message)
})

const minuteMs = 60_000
const dayMs = 86_400_000
test.each([
  ['now', 0, false],
  ['a minute ago', -minuteMs, false],
  ['a millisecond ahead', 1, true],
  ['4 minutes ahead', 4 * minuteMs, true],
  ['30 days ago', -30 * dayMs, false],
  ['more than 30 days ago', -30 * dayMs - 1, true],
  ['in 1970', -receivedAt.getTime(), true],
])('a time %s is clamped: %s', (_what, offsetMs, clamped) => {
  const at = receivedAt.getTime() + offsetMs
  const expected = { at: clamped ? receivedAt.getTime() : at, clamped }
  expect(read({ ...sale, ts: at })).toMatchObject(expected)
  expect(read({ ...sale, ts: new Date(at).toISOString() })).toMatchObject(expected)
})

test('a time can have an offset and fractions', () => {
  expect(read({ ...sale, ts: '2026-11-23T13:59:00+0200' })).toMatchObject({ at: Date.parse(ts) })
  expect(read({ ...sale, ts: '2026-11-23T13:59:00.5+02:00' })).toMatchObject({ at: Date.parse(ts) + 500 })
  expect(read({ ...sale, ts: Date.parse(ts) + 0.7 })).toMatchObject({ at: Date.parse(ts) })
})

test('an id can be any text, always gives the same UUID, and a UUID stays as it is', () => {
  const idOf = (told: string) => (read({ ...sale, id: told }) as { id: string }).id
  expect(idOf('evt_123')).toBe('a404468e-8bb9-8ce1-92e1-187db3836205')
  const anyId = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 }).filter((text) => text.length <= 128)
  const usable = anyId.filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(usable, usable, (one, other) => {
      expect(idOf(one)).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(idOf(one) === idOf(other)).toBe(one === other)
    }),
  )
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(idOf(uuid.toUpperCase())).toBe(uuid)
    }),
  )
})

test('of all numbers, a value is 0 or between its limits, and is close to the sent value', () => {
  fc.assert(
    fc.property(fc.double(), (value) => {
      const found = read({ ...sale, value })
      const wanted = Math.abs(value) < minValue ? 0 : value
      expect(found).toMatchObject(Math.abs(value) <= maxValue ? { value: wanted } : { code: 'validation_failed' })
    }),
    { examples: [[1e-120], [5e-324], [-5e-324], [-0], [1e-12], [1e12], [1e308], [Number.NaN]] },
  )
})

test('of all times, the stored one is in the last 30 days and never after the arrival', () => {
  const received = receivedAt.getTime()
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.date({ noInvalidDate: true }).map(Number)), (ts) => {
      const found = read({ ...sale, ts })
      const isNear = ts < received + 1 && ts >= received - maxAgeMs
      const at = isNear ? Math.floor(ts) : received
      expect(found).toMatchObject(Number.isFinite(ts) ? { at } : { code: 'validation_failed' })
    }),
    { examples: [[received], [received - maxAgeMs], [received - maxAgeMs - 1], [received + 0.5], [-0]] },
  )
})

test('of all texts, a time is what JavaScript reads, or is refused', () => {
  const two = (most: number) => fc.integer({ min: 0, max: most }).map((part) => String(part).padStart(2, '0'))
  const text = fc
    .tuple(
      fc.integer({ min: 0, max: 9999 }),
      two(13),
      two(32),
      two(24),
      two(60),
      fc.constantFrom('Z', '+0000', '-05:30'),
    )
    .map(([y, m, d, h, min, zone]) => `${String(y).padStart(4, '0')}-${m}-${d}T${h}:${min}${zone}`)
  fc.assert(
    fc.property(text, (ts) => {
      const found = read({ ...sale, ts }, { receivedAt: new Date(8.64e15 - 1) })
      const day = `${ts.slice(0, 10)}T00:00:00.000Z`
      const exists = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString() === day
      const at = exists ? Date.parse(ts.replace('+0000', 'Z')) : Number.NaN
      expect('code' in found).toBe(Number.isNaN(at))
    }),
  )
})

test.each([
  ['an exposure', exposure, {}, 0],
  ['an exposure by an allowlist', { ...exposure, reason: 'OVERRIDE' }, {}, 1],
  ['an exposure by a split', { ...exposure, reason: 'SPLIT' }, {}, 0],
  ['an exposure from a bot', exposure, { isBot: true }, 2],
  ['an exposure of a visitor that is a bot', { ...exposure, context: { userAgent: 'crawler' } }, {}, 2],
  ['an event from a bot', sale, { isBot: true }, 2],
  ['an event of a visitor that is a bot', { ...sale, context: { userAgent: 'crawler' } }, {}, 2],
])('%s has its kind', (_what, event, more, kind) => {
  expect(read(event, more)).toMatchObject({ kind })
})

const many = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`key${place}`, place]))
test.each<[string, unknown, object | null]>([
  [
    'texts, numbers and booleans',
    { country: 'NL', age: 1.5, beta: true, empty: '' },
    { country: 'NL', age: 1.5, beta: true, empty: '' },
  ],
  ['other values', { list: [1], nested: { a: 1 }, nothing: null, endless: Number.POSITIVE_INFINITY }, null],
  ['long texts and names', { a: 'x'.repeat(201), ['n'.repeat(65)]: 1, ok: 'x'.repeat(200) }, { ok: 'x'.repeat(200) }],
  [
    'numbers that are long when they are written out',
    { huge: 1e300, tiny: -5e-324, large: 123456789012345 },
    { huge: '1e+300', tiny: '-5e-324', large: 123456789012345 },
  ],
  ['what cannot be stored', { a: 'x\0', b: '\ud800', 'c\0': 1, d: 1 }, { d: 1 }],
  ['more than 20', many, Object.fromEntries(Object.entries(many).slice(0, 20))],
  [
    'special names',
    JSON.parse('{"__proto__": 1, "say \\"hi\\"": 2}'),
    JSON.parse('{"__proto__": 1, "say \\"hi\\"": 2}'),
  ],
  ['no object', 'text', null],
  ['a list', ['text'], null],
])('of a context with %s, facts that fit are kept', (_what, context, kept) => {
  const { dimensions } = read({ ...exposure, context }) as { dimensions: string | null }
  expect(JSON.parse(dimensions ?? 'null')).toEqual(kept)
  expect(read({ ...sale, properties: context })).toEqual(read(sale))
})

test('a time as SDKs write it is read like any other time, and refused like any other', () => {
  const two = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'))
  const day = fc.tuple(fc.constantFrom('2024', '2025', '2026'), two(13), two(32)).map((parts) => parts.join('-'))
  const time = fc.tuple(two(25), two(60), two(60)).map((parts) => parts.join(':'))
  const ends = fc.constantFrom('.000Z', '.999Z', '.99xZ', ',000Z')
  fc.assert(
    fc.property(day, time, ends, (date, clock, end) => {
      const text = `${date}T${clock}${end}`
      // A time that is far from the arrival would be replaced by it.
      const receivedAt = new Date(Date.parse(text) || 0)
      const [usual, other] = [text, text.replace('Z', '+00:00')].map((at) => read({ ...sale, ts: at }, { receivedAt }))
      expect(usual).toEqual(other)
    }),
    { numRuns: 2_000 },
  )
})
