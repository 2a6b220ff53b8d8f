import { expect, test } from 'vitest'
import { type Arrival, type RejectionCode, readEvent } from './event.ts'

const receivedAt = new Date('2026-11-23T12:00:00.000Z')
const id = '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'
const rule = { ruleId: 'rule-id', flagKey: 'checkout', variations: new Map([['on', 'on-id']]) }
const arrival: Arrival = {
  envId: 'env-id',
  receivedAt,
  ruleNamed: (name) => (name === '3' ? rule : undefined),
  isBot: false,
  isBotAgent: (userAgent) => userAgent === 'crawler',
}
const ts = '2026-11-23T11:59:00.000Z'
const exposure = { type: 'exposure', id, ts, unit: 'u-17', ruleId: '3', variationKey: 'on' }
const sale = { type: 'track', id, ts, unit: 'u-17', eventKey: 'order_paid', value: 49.9 }
const read = (event: unknown, more: Partial<Arrival> = {}) => readEvent(event, { ...arrival, ...more })

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
  expect(read(sale)).toMatchObject({ type: 'track', eventKey: 'order_paid', value: 49.9, kind: 0, properties: null })
  expect(read(withoutValue)).toMatchObject({ value: null })
  expect(read({ ...sale, value: null })).toMatchObject({ value: null })
})

test.each<[string, unknown, RejectionCode, string]>([
  ['is no object', 'text', 'validation_failed', 'The event must be an object.'],
  ['is null', null, 'validation_failed', 'The event must be an object.'],
  ['is a list', [exposure], 'validation_failed', 'The event must be an object.'],
  ['has no type', { ...exposure, type: undefined }, 'validation_failed', 'type must be exposure or track.'],
  [
    'has a type for later',
    { ...sale, type: 'order' },
    'unsupported_type',
    'Events of type order are not supported yet. Send exposure or track.',
  ],
  ['has an unknown type', { ...sale, type: 'click' }, 'unsupported_type', 'type must be exposure or track.'],
  ['has no id', { ...sale, id: undefined }, 'validation_failed', 'id must be a UUID.'],
  ['has an id of a different form', { ...sale, id: 'event-1' }, 'validation_failed', 'id must be a UUID.'],
  ['has no unit', { ...sale, unit: undefined }, 'validation_failed', 'unit must be a text of 1 to 512 characters.'],
  ['has an empty unit', { ...sale, unit: '' }, 'validation_failed', 'unit must be a text of 1 to 512 characters.'],
  ['has a number as unit', { ...sale, unit: 17 }, 'validation_failed', 'unit must be a text of 1 to 512 characters.'],
  ['has a long unit', { ...sale, unit: 'u'.repeat(513) }, 'validation_failed', 'unit must be'],
  ['has NUL in its unit', { ...sale, unit: 'u\0' }, 'validation_failed', 'unit must be'],
  ['has half a character in its unit', { ...sale, unit: 'u\ud800' }, 'validation_failed', 'unit must be'],
  ['has no time', { ...sale, ts: undefined }, 'validation_failed', 'ts must be an ISO 8601 time'],
  ['has a time without a zone', { ...sale, ts: '2026-11-23T11:59:00' }, 'validation_failed', 'ts must be'],
  ['has an impossible time', { ...sale, ts: '2026-13-23T11:59:00Z' }, 'validation_failed', 'ts must be'],
  ['has an endless time', { ...sale, ts: Number.POSITIVE_INFINITY }, 'validation_failed', 'ts must be'],
  ['names no rule', { ...exposure, ruleId: undefined }, 'validation_failed', 'ruleId must be the text'],
  ['names a rule by a number', { ...exposure, ruleId: 3 }, 'validation_failed', 'ruleId must be the text'],
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
    'eventKey must be a text of 1 to 100 characters.',
  ],
  ['has a long event key', { ...sale, eventKey: 'e'.repeat(101) }, 'validation_failed', 'eventKey must be'],
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
  ['5 minutes ahead', 5 * minuteMs, false],
  ['more than 5 minutes ahead', 5 * minuteMs + 1, true],
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
  expect(read({ ...sale, ts: '2026-11-23T13:59:00.5+02:00' })).toMatchObject({ at: Date.parse(ts) + 500 })
  expect(read({ ...sale, ts: Date.parse(ts) + 0.7 })).toMatchObject({ at: Date.parse(ts) })
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
  const { properties } = read({ ...sale, properties: context }) as { properties: string | null }
  expect(properties).toBe(dimensions)
})
