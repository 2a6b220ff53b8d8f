import { describe, expect, it } from 'vitest'
import { type Conventions, findings, isCall, referenceSearch } from './references.ts'

const flags = [
  { key: 'new-checkout', status: 'RUNNING', stale: false },
  { key: 'old', status: 'ARCHIVED', stale: false },
  { key: 'theme', status: 'PAUSED', stale: true },
  { key: 'x1', status: 'RUNNING', stale: false },
]

function find(text: string, conventions: Partial<Conventions> = {}) {
  const search = referenceSearch(flags, { calls: [], aliases: {}, ...conventions })
  search.add('shop.ts', text)
  const { flags: found, unknown } = search.result()
  const shown = (all: { key: string; references: { line: number; column: number }[] }[]) =>
    all.flatMap(({ key, references }) => references.map(({ line, column }) => `${key} ${line}:${column}`))
  return { found: shown(found), unknown: shown(unknown) }
}

describe('a key', () => {
  it.each([
    ["'new-checkout'", ['new-checkout 1:2']],
    ['"new-checkout"', ['new-checkout 1:2']],
    ['`new-checkout`', ['new-checkout 1:2']],
    ["\n  ['theme', 'new-checkout']", ['new-checkout 2:14', 'theme 2:5']],
    ['new-checkout', []],
    ["'new-checkout-2'", []],
    ["'the new-checkout'", []],
    ['\'new-checkout"', []],
    ["'NEW-CHECKOUT'", []],
    ["'x1' and 'old'", []],
    ["getBoolean('x1', false)", ['x1 1:13']],
    ["getBoolean('theme', 'theme')", ['theme 1:13', 'theme 1:22']],
  ])('in %j is found at %j', (text, places) => {
    expect(find(text)).toEqual({ found: places, unknown: [] })
  })
})

describe('a known call', () => {
  it.each([
    "client.getBoolean('KEY', false)",
    "client.getJson<Theme>('KEY', {})",
    "client.peekDetails(\n  'KEY',\n  false)",
    'await openFeature.getBooleanValue("KEY", false)',
    "useBooleanFlagValue('KEY', false)",
    "const isOn = useFlag('KEY', false)",
    "useIs('KEY', 'on')",
    "flags.get('KEY')",
    "flags.peek.is('KEY', 'on')",
    'client.get_boolean("KEY", False)',
    'client.get_integer_value("KEY", 1)',
  ])('%s', (call) => {
    expect(find(call.replace('KEY', 'x1'))).toMatchObject({ found: [expect.stringMatching(/^x1 /)], unknown: [] })
    expect(find(call.replace('KEY', 'none'))).toMatchObject({ found: [], unknown: [expect.stringMatching(/^none /)] })
  })

  it.each([
    "cache.get('none')",
    "myuseFlag('none')",
    'getBoolean(`none-$' + '{id}`)',
    'getBoolean(key)',
    "is('none', 'on')",
  ])('is not %s', (text) => {
    expect(find(text)).toEqual({ found: [], unknown: [] })
  })

  it.each([
    ['isOn($key)', "isOn('x1')", "isOn('none')"],
    ['isOn(user, $key)', "isOn(visitor.id, 'x1', 3)", "isOn(visitor, 'none')"],
    ['shop.flags.on($key)', "shop.flags.on('x1')", "shop.flags.on('none')"],
  ])('can be added: %s', (call, right, wrong) => {
    expect(isCall(call)).toBe(true)
    expect(find(right, { calls: [call] }).found).toHaveLength(1)
    expect(find(wrong, { calls: [call] }).unknown).toHaveLength(1)
    expect(find(wrong).unknown).toEqual([])
  })

  it.each(['isOn', 'isOn()', 'isOn($key, user)', '($key)', 'is on($key)'])('cannot be written %j', (call) => {
    expect(isCall(call)).toBe(false)
  })
})

it('an alias counts as its key, as a whole word', () => {
  const aliases = { 'FLAGS.CHECKOUT': 'new-checkout', OLD: 'gone' }
  expect(find('if (isOn(FLAGS.CHECKOUT)) FLAGS.CHECKOUTS\nMY_FLAGS.CHECKOUT', { aliases })).toEqual({
    ...{ found: ['new-checkout 1:10'], unknown: [] },
  })
  expect(find('isOn(OLD)', { aliases }).unknown).toEqual(['gone 1:6'])
})

it('a result is sorted into findings', () => {
  const search = referenceSearch(flags, { calls: [], aliases: {} })
  search.add('a.ts', "flags.get('old'); flags.get('theme'); flags.get('none')")
  search.add('b.ts', "\nflags.get('none')")
  const found = search.result()
  const keys = (all: { key: string }[]) => all.map(({ key }) => key)
  expect(keys(findings.archived(found))).toEqual(['old'])
  expect(keys(findings.stale(found))).toEqual(['theme'])
  expect(keys(findings.unreferenced(found))).toEqual(['new-checkout', 'x1'])
  expect(findings.unknown(found)).toEqual([
    {
      key: 'none',
      references: [
        { path: 'a.ts', line: 1, column: 50 },
        { path: 'b.ts', line: 2, column: 12 },
      ],
    },
  ])
})
