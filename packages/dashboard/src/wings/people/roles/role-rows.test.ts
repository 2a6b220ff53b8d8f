import { expect, it } from 'vitest'
import { type Rights, rightsRows } from './role-rows.ts'

const rows = rightsRows([{ capability: 'view_reports', text: 'See the results.' }])
const role = (name: string, more: Partial<Rights> = {}): Rights => ({
  name,
  builtIn: true,
  capabilities: [],
  scopes: [],
  ...more,
})

it.each([
  [
    'an owner',
    role('OWNER', { capabilities: ['view_reports'], scopes: ['audit:read', 'projects:write'] }),
    'yes yes yes yes yes',
  ],
  [
    'an administrator',
    role('ADMIN', { capabilities: ['view_reports'], scopes: ['audit:read', 'projects:write'] }),
    'yes yes yes yes no',
  ],
  ['an analyst', role('ANALYST', { capabilities: ['view_reports'] }), 'yes no yes no no'],
  ['a viewer', role('VIEWER'), 'yes no no no no'],
  ['a custom role of the name of a built-in one', role('OWNER', { builtIn: false }), 'yes no no no no'],
  ['a custom role that publishes', role('Release', { builtIn: false, scopes: ['projects:write'] }), 'yes yes no no no'],
])('%s has the rights %#', (_who, one, expected) =>
  expect(rows.map(({ isIn }) => (isIn(one) ? 'yes' : 'no')).join(' ')).toBe(expected),
)
