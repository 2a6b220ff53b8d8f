import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { textOf } from './file-text.ts'

const hasPyYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0

/** As PyYAML reads it, or as the yaml package does in the older version where there is no PyYAML. */
function readAs11(text: string): unknown {
  if (!hasPyYaml) return parse(text, { version: '1.1' })
  const program = 'import sys, json, yaml; print(json.dumps(yaml.safe_load(sys.stdin.buffer.read().decode("utf-8"))))'
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], { input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const others = [
  ...['y', 'Y', 'yes', 'Yes', 'n', 'NO', 'on', 'On', 'off', 'OFF', 'true', 'False', 'null', 'Null', '~', '', '=', '<<'],
  ...['2026-11-20', '2026-11-20T10:00:00Z', '2026-11-20 10:00:00.5 +1', '2001-1-1t1:1:1-05:00'],
  ...[
    '190:20:30',
    '-1:30',
    '20:30.15',
    '010',
    '0o17',
    '0x1F',
    '0b101',
    '1_000',
    '1,000',
    '685_230.15',
    '+1',
    '-0',
    '08',
  ],
  ...['.5', '5.', '.inf', '-.INF', '.nan', '1e3', '1.5e+3', '1e-7', '.', '-', '+', '-.', ':on', ': on', '- on', '#on'],
  ...[
    'a\u2028b',
    'a\u2029b',
    'a\u0085b',
    '\ufeffa',
    'a\u007f',
    'a\u009f',
    '\t',
    ' on',
    'on ',
    'on\n',
    'a\nno\n\n',
    '🙂',
  ],
  ...[
    '50%',
    '33.33%',
    'v1.2',
    '1.2.3',
    '2fa',
    '!on',
    '&on',
    '*on',
    '?',
    '? on',
    '|',
    '>',
    '@on',
    '`on`',
    '%on',
    '"on"',
    "'on'",
  ],
]

it('a text means the same to readers of YAML 1.1, as a key, as a value and in a list', () => {
  const document = { keys: Object.fromEntries(others.map((text) => [text, text])), list: others }
  const text = textOf(document, 'https://flags.example.com')
  expect(parse(text)).toEqual(document)
  expect(readAs11(text)).toEqual(document)
  expect(parse(text, { version: '1.1' })).toEqual(document)
})

it('any text or number means the same to readers of YAML 1.1', () => {
  const character = fc.constantFrom(...'0123456789abefnostxyzNOT.,:_+-~=<# \t\n%"\'\\[]{}&*!|>?@\u2028\u0085\ufeff')
  const text = fc.oneof(fc.string({ unit: character, maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
  const number = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) => !Object.is(x, -0)),
  )
  const list = fc.array(fc.oneof(text, number, fc.boolean(), fc.constant(null)), { minLength: 100, maxLength: 500 })
  const record = fc
    .dictionary(text, number, { minKeys: 50, noNullPrototype: true })
    .filter((each) => !Object.hasOwn(each, '__proto__'))
  fc.assert(
    fc.property(list, record, (values, keys) => {
      const written = textOf({ values, keys }, '')
      expect(parse(written)).toEqual({ values, keys })
      expect(readAs11(written)).toEqual({ values, keys })
    }),
    // Each run starts Python, so a failure is shown as it was found.
    { numRuns: 5, endOnFailure: true },
  )
})

it('what all readers read as text stays without quotes', () => {
  expect(textOf({ name: 'Pay now', traffic: '50%', event: 'order_paid', one: 1 }, 'https://x')).toBe(
    '# yaml-language-server: $schema=https://x/docs/config.schema.json\nname: Pay now\ntraffic: 50%\nevent: order_paid\none: 1\n',
  )
})
