import { describe, expect, test } from 'vitest'
import { builtInRoles, type Capability, capabilities, type Scope, scopesOfRole } from '../../../catalogue/scopes.ts'
import {
  type Holder,
  inOrder,
  rankOf,
  refusesAdding,
  refusesEdit,
  refusesGiving,
  refusesHandling,
  refusesRoleDeletion,
} from './role.ts'

const builtIn = (name: keyof typeof builtInRoles) => ({ name, builtIn: true, capabilities: builtInRoles[name] })
const custom = (...held: Capability[]) => ({ name: 'Custom', builtIn: false, capabilities: held })
const namesake = { name: 'OWNER', builtIn: false, capabilities }

const person = (role: ReturnType<typeof custom> | ReturnType<typeof builtIn>): Holder => ({
  role,
  scopes: scopesOfRole(role),
})
const token = (...scopes: Scope[]): Holder => ({ role: null, scopes: new Set(scopes) })

const holders = {
  owner: person(builtIn('OWNER')),
  admin: person(builtIn('ADMIN')),
  'everything token': token('admin:*'),
  'members token': token('members:write'),
  'members and flags token': token(
    'members:write',
    'flags:write',
    'experiments:write',
    'audiences:write',
    'segments:write',
    'metrics:write',
    'results:read',
  ),
}

const roles = {
  OWNER: builtIn('OWNER'),
  ADMIN: builtIn('ADMIN'),
  EDITOR: builtIn('EDITOR'),
  ANALYST: builtIn('ANALYST'),
  VIEWER: builtIn('VIEWER'),
  integrator: custom('manage_integrations'),
  namesake,
}

const table: Record<keyof typeof holders, { handles: (keyof typeof roles)[]; gives: (keyof typeof roles)[] }> = {
  owner: { handles: Object.keys(roles) as never, gives: Object.keys(roles) as never },
  admin: {
    handles: ['ADMIN', 'EDITOR', 'ANALYST', 'VIEWER', 'integrator', 'namesake'],
    gives: ['ADMIN', 'EDITOR', 'ANALYST', 'VIEWER', 'integrator', 'namesake'],
  },
  'everything token': { handles: Object.keys(roles) as never, gives: Object.keys(roles) as never },
  'members token': { handles: ['EDITOR', 'ANALYST', 'VIEWER', 'integrator', 'namesake'], gives: ['VIEWER'] },
  'members and flags token': {
    handles: ['EDITOR', 'ANALYST', 'VIEWER', 'integrator', 'namesake'],
    gives: ['EDITOR', 'ANALYST', 'VIEWER'],
  },
}

describe.each(Object.keys(table) as (keyof typeof table)[])('the %s', (who) => {
  test.each(Object.keys(roles) as (keyof typeof roles)[])(
    'can change and give the role %s only as the table says',
    (name) => {
      const { handles, gives } = table[who]
      const handling = refusesHandling(holders[who], roles[name])
      const giving = refusesGiving(holders[who], roles[name])
      expect([handling === undefined, giving === undefined]).toEqual([handles.includes(name), gives.includes(name)])
      if (handling) expect(handling.refusal).toBe('role_missing')
      if (!handling && giving)
        expect(giving).toMatchObject({ refusal: 'scope_missing', details: { scope: expect.any(String) } })
    },
  )
})

test.each([
  [builtIn('OWNER'), 'OWNER'],
  [builtIn('ADMIN'), 'ADMIN'],
  [builtIn('EDITOR'), 'OTHER'],
  [namesake, 'OTHER'],
])('the rank of a role follows from the built-in roles', (role, rank) => expect(rankOf(role)).toBe(rank))

test.each<[string, Holder, Capability[], Capability[], string | undefined]>([
  ['a scope that the holder has', token('results:read'), [], ['view_reports'], undefined],
  ['a scope that the holder lacks', token('results:read'), [], ['manage_projects'], 'projects:write'],
  ['nothing, when it loses a capability', token(), ['manage_projects'], [], undefined],
  ['nothing, when it stays the same', token(), ['manage_projects'], ['manage_projects'], undefined],
  ['the same scope from a different capability', token(), ['manage_projects'], ['edit_project_settings'], undefined],
  ['one more capability', token(), ['manage_projects'], ['manage_projects', 'view_reports'], 'results:read'],
  ['anything from admin:*', token('admin:*'), [], [...capabilities], undefined],
])('a role can gain %s', (_what, holder, before, after, missing) => {
  expect(refusesAdding(holder, before, after)?.details?.scope).toBe(missing)
})

test('built-in roles cannot be edited, others can', () => {
  expect(refusesEdit(builtIn('EDITOR'))).toMatchObject({ refusal: 'invalid_state', details: { current: 'BUILT_IN' } })
  expect(refusesEdit(custom())).toBeUndefined()
})

test.each([
  ['built in', builtIn('VIEWER'), 0, 0, { current: 'BUILT_IN' }],
  ['held by members', custom(), 2, 0, { references: [{ type: 'member', count: 2 }] }],
  ['named by invitations', custom(), 0, 1, { references: [{ type: 'invitation', count: 1 }] }],
  [
    'both',
    custom(),
    1,
    1,
    {
      references: [
        { type: 'member', count: 1 },
        { type: 'invitation', count: 1 },
      ],
    },
  ],
])('a role that is %s cannot be deleted', (_what, role, members, invitations, details) => {
  expect(refusesRoleDeletion(role, { members, invitations })).toMatchObject({ refusal: 'invalid_state', details })
})

test('an unused role can be deleted', () =>
  expect(refusesRoleDeletion(custom(), { members: 0, invitations: 0 })).toBeUndefined())

test('each capability is stored once, in the order of the vocabulary', () =>
  expect(inOrder(['manage_integrations', 'view_reports', 'view_reports'])).toEqual([
    'view_reports',
    'manage_integrations',
  ]))
