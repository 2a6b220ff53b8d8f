import { expect, test } from 'vitest'
import { z } from 'zod'
import { issueTexts } from './issue-text.ts'

const schema = z.strictObject({
  name: z.string().min(2).max(4).default('ab'),
  role: z.enum(['OWNER', 'VIEWER']).default('OWNER'),
  email: z.email().optional(),
  until: z.iso.datetime().optional(),
  key: z.string().regex(/^a/, 'must begin with a').optional(),
  note: z.string().regex(/^a/, 'A note begins with a.').optional(),
  list: z.array(z.strictObject({ id: z.number() })).default([]),
})

test.each([
  [[], 'the file must be an object (got an array).'],
  [null, 'the file must be an object (got null).'],
  [{ name: 7 }, 'name must be a string (got a number).'],
  [{ name: 'a' }, 'name must have at least 2 characters.'],
  [{ name: 'abcde' }, 'name must have at most 4 characters.'],
  [{ role: 'BOSS' }, 'role must be one of OWNER, VIEWER (got "BOSS").'],
  [{ role: `svc_svc_${'a'.repeat(43)}` }, 'role must be one of OWNER, VIEWER.'],
  [{ email: 'olive' }, 'email must be an e-mail address (got "olive").'],
  [{ until: 'tomorrow' }, 'until must be a date and time such as 2027-01-31T00:00:00Z (got "tomorrow").'],
  [{ key: 'b' }, 'key must begin with a.'],
  [{ note: 'b' }, 'note is not valid: A note begins with a.'],
  [{ list: [{ id: 1 }, {}] }, 'list[1].id is required.'],
  [{ list: [{ id: 1, ID: 2 }] }, 'list[0].ID is not a known field.'],
])('%j: %s', (document, text) => {
  expect(issueTexts(schema.safeParse(document).error!.issues, document, 'the file')).toEqual([text])
})

test('each unknown field is told', () => {
  const document = { a: 1, b: 2 }
  expect(issueTexts(schema.safeParse(document).error!.issues, document, 'the file')).toEqual([
    'a is not a known field.',
    'b is not a known field.',
  ])
})
