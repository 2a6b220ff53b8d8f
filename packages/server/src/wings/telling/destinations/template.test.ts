import { expect, it } from 'vitest'
import { messageOf } from '../../../../testing/ticket-messages.ts'
import { filled, filledJson, textsOf, unknownPlaceholders, withTemplate } from './template.ts'

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

it('what every object of JavaScript has is no part of a body', () => {
  const template = ['{{flag.constructor}}', '{{flag.constructor.name}}', '{{flags.length}}', '{{flag.__proto__}}']
  expect(template.map((text) => filled(text, body))).toEqual(['', '', '', ''])
  expect(filledJson(template, body)).toEqual([null, null, null, null])
})

it('a JSON template stays JSON whatever a name contains', () => {
  const template = { text: 'Flag {{flag.name}}!', count: '{{n}}', list: ['{{flags}}'], keep: [1, true, null] }
  expect(JSON.parse(JSON.stringify(filledJson(template, body)))).toEqual({
    text: 'Flag A "quoted"\n{{name}}!',
    count: 3,
    list: [[{ key: 'b' }]],
    keep: [1, true, null],
  })
})

it('a string that is one placeholder without a value becomes null', () =>
  expect(filledJson({ a: '{{missing}}' }, body)).toEqual({ a: null }))

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
