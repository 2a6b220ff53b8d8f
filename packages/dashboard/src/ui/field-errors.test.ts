import { expect, it } from 'vitest'
import { fieldErrors } from './field-errors.ts'

it.each([
  [['name'], { name: 'Rule.' }, []],
  [['scopes', 2], { scopes: 'Rule.' }, []],
  [['notifications', 'email'], { 'notifications.email': 'Rule.' }, []],
  [['unknown'], {}, ['Rule.']],
  [[], {}, ['Rule.']],
])('an issue at %j', (path, fields, others) => {
  const issues = [{ path, message: 'Rule.' }]
  expect(fieldErrors(issues, ['name', 'scopes', 'notifications.email'])).toEqual({ fields, others })
})

it('the first message of a field stays', () => {
  const issues = [
    { path: ['name'], message: 'First.' },
    { path: ['name'], message: 'Second.' },
  ]
  expect(fieldErrors(issues, ['name'])).toEqual({ fields: { name: 'First.' }, others: [] })
})
