import { describe, expect, it, vi } from 'vitest'
import { messageOf } from '../../../../testing/vendors/ticket-messages.ts'
import {
  filled,
  filledJson,
  filledMaxLength,
  type JsonTemplate,
  textsOf,
  unknownPlaceholders,
  withTemplate,
} from './template.ts'

const roomy = 1_000_000
const body = { flag: { name: 'A "quoted"\n{{name}}', key: 'a' }, flags: [{ key: 'b' }], n: 3, none: null }

it.each([
  ['{{flag.key}} and {{ flag.key }}', 'a and a'],
  ['{{flags.0.key}}', 'b'],
  ['{{n}}', '3'],
  ['{{missing.path}}|{{none}}|{{flag}}', '||{"name":"A \\"quoted\\"\\n{{name}}","key":"a"}'],
  ['{{flag.name}}', 'A "quoted"\n{{name}}'],
  ['{{ }} {flag.key} {{flag..key}}', '{{ }} {flag.key} {{flag..key}}'],
  ['{{constructor.name}}{{__proto__.x}}', ''],
])('%s is filled', (text, value) => expect(filled(text, body)).toBe(value))

it.each([
  [
    { title: 'New: {{flag.key}}', summary: null },
    { title: 'New: a', summary: messageOf().summary },
  ],
  [
    { title: ' {{none}} ', summary: '{{none}}' },
    { title: messageOf().title, summary: '' },
  ],
  [null, { title: messageOf().title, summary: messageOf().summary }],
])('a message with %j has a title all the same', (template, said) => {
  expect(withTemplate(messageOf(), template, body)).toMatchObject(said)
})

it('properties that every JavaScript object has are not part of a body', () => {
  const template = ['{{flag.constructor}}', '{{flag.constructor.name}}', '{{flags.length}}', '{{flag.__proto__}}']
  expect(template.map((text) => filled(text, body))).toEqual(['', '', '', ''])
  expect(filledJson(template, body, roomy)).toBe('[null,null,null,null]')
})

it('a JSON template stays JSON whatever a name contains', () => {
  const template = { text: 'Flag {{flag.name}}!', count: '{{n}}', list: ['{{flags}}'], keep: [1, true, null] }
  expect(JSON.parse(filledJson(template, body, roomy)!)).toEqual({
    text: 'Flag A "quoted"\n{{name}}!',
    count: 3,
    list: [[{ key: 'b' }]],
    keep: [1, true, null],
  })
})

it('a string that is one placeholder without a value becomes null', () =>
  expect(filledJson({ a: '{{missing}}' }, body, roomy)).toBe('{"a":null}'))

describe('a template that grows', () => {
  const maxBytes = 256 * 1024
  const large = { flags: Array.from({ length: 100 }, (_, at) => ({ key: `flag-${at}`, note: 'ä'.repeat(80) })) }
  const itself = JSON.stringify(large.flags)

  /** The bytes of all texts that are made of values while `work` runs. */
  function bytesMade(work: () => unknown): number {
    const made = vi.spyOn(JSON, 'stringify')
    work()
    const bytes = made.mock.results.reduce((sum, { value }) => sum + Buffer.byteLength(String(value)), 0)
    made.mockRestore()
    return bytes
  }

  it.each<[string, JsonTemplate]>([
    ['in one string', { text: '{{flags}}'.repeat(3_000) }],
    ['in many strings', { texts: Array.from({ length: 3_000 }, () => 'x{{flags}}') }],
    ['as whole values', { lists: Array.from({ length: 3_000 }, () => '{{flags}}') }],
    [
      'by different spellings of a path',
      {
        text: Array.from({ length: 100 }, (_, at) => `{{ flags.${at} }}`)
          .join('')
          .repeat(30),
      },
    ],
  ])('is not filled beyond the limit: %s', (_how, template) => {
    let filledText: string | undefined = ''
    const bytes = bytesMade(() => {
      filledText = filledJson(template, large, maxBytes)
    })
    expect(filledText).toBeUndefined()
    expect(bytes).toBeLessThan(2 * Buffer.byteLength(itself))
  })

  it('is filled up to the limit, to the byte', () => {
    const template = { lists: Array.from({ length: 5 }, () => '{{flags}}'), text: 'n: {{flags.0.note}}' }
    const text = filledJson(template, large, roomy)!
    expect(JSON.parse(text)).toEqual({
      lists: Array.from({ length: 5 }, () => large.flags),
      text: `n: ${'ä'.repeat(80)}`,
    })
    expect(filledJson(template, large, Buffer.byteLength(text))).toBe(text)
    expect(filledJson(template, large, Buffer.byteLength(text) - 1)).toBeUndefined()
  })

  it('is cut in a title or summary, between characters', () => {
    const text = filled('{{flags}}'.repeat(444), large)
    expect(text).toHaveLength(filledMaxLength)
    expect(text.startsWith(itself)).toBe(true)
    expect(filled(`${'x'.repeat(filledMaxLength - 1)}{{name}}`, { name: '😀' })).toBe('x'.repeat(filledMaxLength - 1))
  })
})

it('finds the strings at every depth', () =>
  expect(textsOf({ a: ['x', { b: 'y' }], c: 1, d: null })).toEqual(['x', 'y']))

it.each([
  [['{{flag.name}} {{project.name}} {{triggeredBy.name}}'], ['flag.created'], []],
  [['{{flag.nmae}}', '{{flag.nmae}}'], ['flag.created'], ['flag.nmae']],
  [['{{flags.0.key}} {{dataFile.revision}}'], ['flag.published'], []],
  [['{{flags.key}}'], ['flag.published'], ['flags.key']],
  [['{{flags.0.after.defaultVariation}}'], ['flag.published'], []],
  // One of the events has it.
  [['{{segment.count}}'], ['flag.created', 'segment.updated'], []],
  [['{{alarm.dimension.value}}'], ['flag.srm_failed'], []],
] as const)('%j of %j has the unknown paths %j', (texts, subscribed, unknown) =>
  expect(unknownPlaceholders(texts, [...subscribed])).toEqual(unknown),
)
