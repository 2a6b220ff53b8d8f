import { expect, test } from 'vitest'
import { z } from 'zod'
import { brokenRules, issueSentence, issueTexts, notingFields } from './issue-text.ts'

const schema = z.strictObject({
  name: z.string().min(2).max(4).default('ab'),
  role: z.enum(['OWNER', 'VIEWER']).default('OWNER'),
  email: z.email().optional(),
  teamId: z.uuid().optional(),
  until: z.iso.datetime().optional(),
  key: z.string().regex(/^a/, 'must begin with a').optional(),
  note: z.string().regex(/^a/, 'A note begins with a.').optional(),
  password: z.boolean().optional(),
  token: z.enum(['a', 'b']).optional(),
  isOn: z.boolean().optional(),
  count: z.int().min(1).max(9).optional(),
  proof: z.union([z.strictObject({ password: z.string() }), z.strictObject({ code: z.string() })]).optional(),
  names: z.union([z.literal('ALL'), z.enum(['a', 'b']).array()]).optional(),
  words: z.union([z.object({ key: z.string() }).array(), z.literal('ALL')]).optional(),
  rule: z
    .discriminatedUnion('type', [z.object({ type: z.literal('A') }), z.object({ type: z.literal('B') })])
    .optional(),
  few: z.string().array().min(1).optional(),
  title: z.string().min(1).optional(),
  list: z.array(z.strictObject({ id: z.number(), label: z.string().optional() })).default([]),
})

test.each([
  [[], 'the file must be an object (got an array).'],
  [null, 'the file must be an object (got null).'],
  [{ name: 7 }, 'name must be a string (got a number).'],
  [{ name: 'a' }, 'name must have at least 2 characters.'],
  [{ name: 'abcde' }, 'name must have at most 4 characters.'],
  [{ role: 'BOSS' }, 'role must be one of OWNER, VIEWER (got "BOSS").'],
  [{ role: `svc_svc_${'a'.repeat(43)}` }, 'role must be one of OWNER, VIEWER.'],
  [{ role: `svc_ing_${'a'.repeat(43)}` }, 'role must be one of OWNER, VIEWER.'],
  [{ email: 'olive' }, 'email must be an e-mail address (got "olive").'],
  [{ teamId: 'shop' }, 'teamId must be an id such as 8f2f8e84-5b1c-4d5e-9a51-0c3f1d2e4b6a (got "shop").'],
  [{ until: 'tomorrow' }, 'until must be a date and time such as 2027-01-31T00:00:00Z (got "tomorrow").'],
  [{ key: 'b' }, 'key must begin with a.'],
  [{ note: 'b' }, 'note: A note begins with a.'],
  [{ note: `b\u202e` }, 'note: A note begins with a.'],
  [{ role: 'x'.repeat(101) }, `role must be one of OWNER, VIEWER (got "${'x'.repeat(100)}…").`],
  [{ role: 'a\u202eb' }, 'role must be one of OWNER, VIEWER (got "a�b").'],
  [{ password: 7 }, 'password must be true or false (got a number).'],
  [{ token: 'hunter22' }, 'token must be one of a, b.'],
  [{ isOn: 'yes' }, 'isOn must be true or false (got "yes").'],
  [{ count: 1.5 }, 'count must be a whole number (got 1.5).'],
  [{ count: 0 }, 'count must be at least 1 (got 0).'],
  [{ count: 10 }, 'count must be at most 9 (got 10).'],
  [{ proof: {} }, 'proof must have password or code.'],
  [{ proof: { code: 7 } }, 'proof.code must be a string (got a number).'],
  [{ names: ['a', 'c'] }, 'names[1] must be one of a, b (got "c").'],
  [{ words: [{}, {}] }, 'words[0].key is required. words[1].key is required.'],
  [{ words: 'SOME' }, 'words must be ALL (got "SOME").'],
  [{ rule: { type: 'C' } }, 'rule.type must be one of A, B (got "C").'],
  [{ few: [] }, 'few must have at least 1 entry.'],
  [{ title: '' }, 'title must not be empty.'],
  [{ list: [{ id: 1 }, {}] }, 'list[1].id is required.'],
  [{ list: [{ id: 1, ID: 2 }] }, 'list[0].ID is not a known field.'],
])('%j: %s', (document, text) => {
  expect(issueTexts(schema.safeParse(document).error!.issues, document, 'the file').join(' ')).toEqual(text)
})

test('each unknown field is named', () => {
  const document = { a: 1, b: 2 }
  expect(issueTexts(schema.safeParse(document).error!.issues, document, 'the file')).toEqual([
    'a is not a known field.',
    'b is not a known field.',
  ])
})

const textsOf = (document: unknown) =>
  issueTexts(schema.safeParse(document, { error: notingFields }).error!.issues, document, 'the file')

test.each([
  [{ nmae: 'x' }, ['nmae is not a known field. Did you mean name?']],
  [{ ISON: true }, ['ISON is not a known field. Did you mean isOn?']],
  [{ list: [{ id: 1, lable: 2 }] }, ['list[0].lable is not a known field. Did you mean label?']],
  [{ proof: { pasword: 'x' } }, ['proof must have password or code.']],
  [{ colour: 'red' }, ['colour is not a known field.']],
  [{ ['n'.repeat(60_000)]: 1 }, [`${'n'.repeat(100)}… is not a known field.`]],
])(
  'an unknown field is told with the one that was meant, if the fields of the schema are noted (%#)',
  (document, texts) => {
    expect(textsOf(document)).toEqual(texts)
  },
)

test('a misspelled field comes before the required one that it was meant to be, at every level', () => {
  const strict = z.strictObject({
    key: z.string(),
    list: z.array(z.strictObject({ name: z.string() })),
    name: z.string(),
  })
  const document = { nmae: 'x', list: [{ naem: 'y' }], colour: 'red' }
  const { issues } = strict.safeParse(document, { error: notingFields }).error!
  expect(issueTexts(issues, document, 'the file')).toEqual([
    'list[0].naem is not a known field. Did you mean name?',
    'nmae is not a known field. Did you mean name?',
    'key is required.',
    'list[0].name is required.',
    'name is required.',
    'colour is not a known field.',
  ])
})

test('the message about many unknown fields names all and explains the first', () => {
  const document = Object.fromEntries(Array.from({ length: 1_000 }, (_, place) => [`nam${place}`, 1]))
  const texts = textsOf(document)
  expect([texts.length, texts.filter((text) => text.endsWith('?')).length]).toEqual([1_000, 20])
})

test('a field of the document can have a rule of its own, which its inner objects do not have', () => {
  const document = { createdAt: 1, list: [{ id: 1, createdAt: 1 }] }
  const { issues } = schema.safeParse(document).error!
  const unknownRule = (field: string) => (field === 'createdAt' ? 'is read-only' : undefined)
  const rules = brokenRules(issues, { document, kind: 'field', unknownRule })
  expect(rules.map(({ path, message }) => issueSentence(path, message, 'The body'))).toEqual([
    'list[0].createdAt is not a known field.',
    'createdAt is read-only.',
  ])
})

test.each([
  [['name'], 'Must not be blank.', 'name must not be blank.'],
  [['name'], 'is required', 'name is required.'],
  [['variations', 0, 'value'], 'variations[0].value must be a string.', 'variations[0].value must be a string.'],
  [['line', 3], 'Line 3: The id is empty.', 'Line 3: The id is empty.'],
  [['url'], 'URL host cannot be resolved', 'url: URL host cannot be resolved.'],
  [['roleId'], 'No role of this organization has this id.', 'roleId: No role of this organization has this id.'],
  [[], 'must be an object (got an array)', 'The body must be an object (got an array).'],
  [[], 'A flag can have up to 100 rules.', 'A flag can have up to 100 rules.'],
])('at %j, %j becomes a sentence that names the field', (path, rule, sentence) => {
  expect(issueSentence(path, rule, 'The body')).toBe(sentence)
})
