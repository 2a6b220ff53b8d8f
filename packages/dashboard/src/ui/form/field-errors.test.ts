import { expect, it } from 'vitest'
import { fieldErrors } from './field-errors.ts'

it.each([
  [['name'], { name: 'Rule.' }, []],
  [['scopes', 2], { scopes: 'Rule.' }, []],
  [['notifications', 'email'], { 'notifications.email': 'Rule.' }, []],
  [['unknown'], {}, ['Rule.']],
  [[], {}, ['Rule.']],
])('the form assigns an issue at %j', (path, fields, others) => {
  const issues = [{ path, message: 'Rule.' }]
  expect(fieldErrors(issues, ['name', 'scopes', 'notifications.email'])).toEqual({ fields, others })
})

it('the form keeps the first message of a field', () => {
  const issues = [
    { path: ['name'], message: 'First.' },
    { path: ['name'], message: 'Second.' },
  ]
  expect(fieldErrors(issues, ['name'])).toEqual({ fields: { name: 'First.' }, others: [] })
})

it.each([
  [['name'], 'name must not be blank.', 'Must not be blank.'],
  [['name'], 'name is required.', 'This field is required.'],
  [['url'], 'url: URL host cannot be resolved.', 'URL host cannot be resolved.'],
  [['scopes', 2], 'scopes[2] must be one of audit:read, flags:read.', 'Must be one of audit:read, flags:read.'],
  [['notifications', 'email'], 'notifications.email must be true or false.', 'Must be true or false.'],
])('the form removes the path %j from a message beside its field', (path, message, text) => {
  const { fields } = fieldErrors([{ path, message }], ['name', 'url', 'scopes', 'notifications.email'])
  expect(Object.values(fields)).toEqual([text])
})

it('the form keeps the path in a message that belongs to no field', () => {
  const issues = [{ path: ['color'], message: 'color is not a known field.' }]
  expect(fieldErrors(issues, ['name']).others).toEqual(['color is not a known field.'])
})
