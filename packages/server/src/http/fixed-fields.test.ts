import { expect, test } from 'vitest'
import { z } from 'zod'
import { fixedFieldRule, noteFixedFields } from './fixed-fields.ts'

const url = '/things/:thingId'
const text = z.string()
const thing = z.object({ id: text, name: text, type: text, parts: text, createdAt: text })
const edit = { method: 'PATCH', url, body: z.strictObject({ name: text }), data: thing }
const creation = {
  method: 'POST',
  url: '/things',
  body: z.union([z.strictObject({ type: text, secret: text }), z.strictObject({ other: text })]).optional(),
  data: thing,
}
const parts = { method: 'PUT', url: `${url}/parts`, body: z.strictObject({ parts: text }), data: thing }
const deeper = { method: 'PUT', url: `${url}/parts/:partId/all`, body: z.strictObject({ parts: text }), data: thing }
const others = { method: 'PUT', url: '/things/:thingId-of-others', body: z.strictObject({ none: text }), data: thing }

test.each([
  ['parts', 'cannot be changed here. Send PUT to /parts below this address'],
  ['type', 'is set by the creation and cannot be changed'],
  ['secret', 'is set by the creation and cannot be changed'],
  ['other', 'is set by the creation and cannot be changed'],
  ['createdAt', 'is read-only'],
  ['none', undefined],
  ['toString', undefined],
])('the edit of a resource says of %s that it %s', (field, rule) => {
  const routes = [deeper, parts, edit, creation, others]
  noteFixedFields(edit, routes)
  expect(fixedFieldRule(edit.body)!(field)).toBe(rule)
})

test('a creation has no rule, because all of its fields can be set', () => {
  noteFixedFields(creation, [creation])
  expect(fixedFieldRule(creation.body)).toBeUndefined()
})
