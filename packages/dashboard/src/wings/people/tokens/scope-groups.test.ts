import { expect, it } from 'vitest'
import { scopeGroups } from './scope-groups.ts'

const scopes = [
  { scope: 'org:read', text: 'Read the organization.', ineffective: false },
  { scope: 'org:write', text: 'Change the organization.', ineffective: true },
  { scope: 'flags:read', text: 'Read flags, their variations, rules and overrides.', ineffective: false },
  { scope: 'flags:write', text: 'Create and change flags.', ineffective: false },
  { scope: 'admin:*', text: 'Everything that any scope allows.', ineffective: false },
]

it.each([
  ['', { Organization: ['org:read', 'org:write'], Flags: ['flags:read', 'flags:write'], Everything: ['admin:*'] }],
  ['  ', { Organization: ['org:read', 'org:write'], Flags: ['flags:read', 'flags:write'], Everything: ['admin:*'] }],
  ['flags', { Flags: ['flags:read', 'flags:write'] }],
  ['FLAGS write', { Flags: ['flags:write'] }],
  ['overrides', { Flags: ['flags:read'] }],
  [':write', { Organization: ['org:write'], Flags: ['flags:write'] }],
  ['nothing of that', {}],
])('finds the scopes for the search %j', (search, expected) => {
  const found = scopeGroups(scopes, search).map(({ title, scopes }) => [title, scopes.map(({ scope }) => scope)])
  expect(Object.fromEntries(found)).toEqual(expected)
})
