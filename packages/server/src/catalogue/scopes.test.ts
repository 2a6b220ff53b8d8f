import { expect, test } from 'vitest'
import {
  builtInRoles,
  type Capability,
  capabilities,
  capabilityTexts,
  holdsScope,
  ineffectiveScopes,
  type Scope,
  scopes,
  scopesOfRole,
  scopeText,
} from './scopes.ts'

const families = ['org', 'projects', 'experiments', 'flags', 'audiences', 'segments', 'metrics', 'members', 'roles']
const moreFamilies = ['webhooks', 'integrations', 'catalog', 'datasets', 'recommendations', 'tokens']
const readOnly = ['results:read', 'orders:read', 'audit:read']

test('the scopes are those of the specification', () => {
  const paired = [...families, ...moreFamilies].flatMap((family) => [`${family}:read`, `${family}:write`])
  expect([...scopes].sort()).toEqual([...paired, ...readOnly, 'admin:*'].sort())
})

const membership = [
  ...[...families, 'webhooks', 'integrations', 'catalog', 'datasets', 'recommendations'].map((each) => `${each}:read`),
  'orders:read',
].sort()
const roleWith = (...held: Capability[]) => scopesOfRole({ name: 'Custom', builtIn: false, capabilities: held })

test('membership alone gives the read scopes', () => expect([...roleWith()].sort()).toEqual(membership))

test.each<[Capability, Scope[]]>([
  ['view_reports', ['results:read']],
  ['export_data', ['results:read']],
  ['manage_projects', ['projects:write']],
  ['edit_project_settings', ['projects:write']],
  ['create_experiments', ['experiments:write', 'flags:write', 'audiences:write', 'segments:write', 'metrics:write']],
  ['edit_code_variations', ['experiments:write']],
  [
    'manage_integrations',
    ['integrations:write', 'webhooks:write', 'catalog:write', 'datasets:write', 'recommendations:write'],
  ],
])('%s adds exactly %j', (capability, added) => {
  expect([...roleWith(capability)].filter((scope) => !membership.includes(scope)).sort()).toEqual([...added].sort())
})

const never: Scope[] = ['tokens:read', 'tokens:write', 'admin:*', 'org:write']

test.each(Object.entries(builtInRoles))('%s receives only scopes that a role gives', (name, held) => {
  const derived = scopesOfRole({ name, builtIn: true, capabilities: held })
  expect(never.filter((scope) => derived.has(scope))).toEqual([])
})

test.each([
  ['OWNER', true, true],
  ['ADMIN', true, true],
  ['EDITOR', true, false],
  ['OWNER', false, false],
])('a role named %s with built in %s gets the scopes of administrators: %s', (name, builtIn, expected) => {
  const derived = scopesOfRole({ name, builtIn, capabilities: [...capabilities] })
  for (const scope of ['audit:read', 'members:write', 'roles:write'] as const) expect(derived.has(scope)).toBe(expected)
})

test('an unknown capability gives nothing', () => {
  const derived = scopesOfRole({ name: 'Old', builtIn: false, capabilities: ['fly'] })
  expect([...derived].sort()).toEqual(membership)
})

test('admin:* covers every scope, and no other scope covers another', () => {
  for (const held of scopes)
    for (const needed of scopes) expect(holdsScope(new Set([held]), needed)).toBe(held === needed || held === 'admin:*')
})

test('every scope and every capability has an explanation', () => {
  for (const text of [...scopes.map(scopeText), ...Object.values(capabilityTexts)]) expect(text).toMatch(/^[A-Z].+\.$/)
})

test('the scopes without effect include those of the specification', () =>
  expect([...ineffectiveScopes]).toEqual(expect.arrayContaining(['org:write', 'tokens:read', 'tokens:write'])))
