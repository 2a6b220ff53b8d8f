import { expect, test } from 'vitest'
import { builtInRoles, type Scope, scopesOfRole } from '../../../catalogue/scopes.ts'
import { type MemberStanding, refusesChange, refusesInvitation, refusesLeaving, refusesRemoval } from './member.ts'

const role = (name: keyof typeof builtInRoles) => ({ id: name, name, builtIn: true, capabilities: builtInRoles[name] })
type RoleName = keyof typeof builtInRoles

const person = (name: RoleName) => ({ role: role(name), scopes: scopesOfRole(role(name)) })
const token = (...scopes: Scope[]) => ({ role: null, scopes: new Set(scopes) })
const callers = {
  OWNER: person('OWNER'),
  ADMIN: person('ADMIN'),
  'admin:*': token('admin:*'),
  'members:write': token('members:write'),
}
type Who = keyof typeof callers

const member = (name: RoleName, isLastOwner = false): MemberStanding => ({
  role: role(name),
  projectIds: null,
  isLastOwner,
})
const lastOwner = member('OWNER', true)

/** Who changes whom to which role, and the refusal, if any. */
test.each<[Who, MemberStanding, RoleName, string?]>([
  ['OWNER', member('VIEWER'), 'EDITOR'],
  ['OWNER', member('VIEWER'), 'ADMIN'],
  ['OWNER', member('VIEWER'), 'OWNER'],
  ['OWNER', member('OWNER'), 'VIEWER'],
  ['OWNER', member('ADMIN'), 'VIEWER'],
  ['OWNER', lastOwner, 'ADMIN', 'invalid_state'],
  ['OWNER', lastOwner, 'OWNER'],
  ['ADMIN', member('VIEWER'), 'EDITOR'],
  ['ADMIN', member('VIEWER'), 'ADMIN'],
  ['ADMIN', member('ADMIN'), 'VIEWER'],
  ['ADMIN', member('VIEWER'), 'OWNER', 'role_missing'],
  ['ADMIN', member('ADMIN'), 'OWNER', 'role_missing'],
  ['ADMIN', member('OWNER'), 'VIEWER', 'role_missing'],
  ['ADMIN', member('OWNER'), 'OWNER', 'role_missing'],
  ['ADMIN', lastOwner, 'VIEWER', 'role_missing'],
  ['admin:*', member('VIEWER'), 'OWNER'],
  ['admin:*', member('OWNER'), 'VIEWER'],
  ['admin:*', lastOwner, 'VIEWER', 'invalid_state'],
  ['members:write', member('EDITOR'), 'VIEWER'],
  ['members:write', member('VIEWER'), 'EDITOR', 'scope_missing'],
  ['members:write', member('VIEWER'), 'ADMIN', 'role_missing'],
  ['members:write', member('ADMIN'), 'VIEWER', 'role_missing'],
  ['members:write', member('OWNER'), 'VIEWER', 'role_missing'],
  ['members:write', member('EDITOR'), 'EDITOR'],
])('%s turns %o into %s', (who, target, name, refusal) => {
  expect(refusesChange(callers[who], target, { role: role(name), projectIds: null })?.refusal).toBe(refusal)
})

test.each<[Who, MemberStanding, string?]>([
  ['OWNER', member('VIEWER')],
  ['OWNER', member('ADMIN')],
  ['OWNER', member('OWNER')],
  ['OWNER', lastOwner, 'invalid_state'],
  ['ADMIN', member('VIEWER')],
  ['ADMIN', member('ADMIN')],
  ['ADMIN', member('OWNER'), 'role_missing'],
  ['ADMIN', lastOwner, 'role_missing'],
  ['admin:*', member('OWNER')],
  ['admin:*', lastOwner, 'invalid_state'],
  ['members:write', member('EDITOR')],
  ['members:write', member('ADMIN'), 'role_missing'],
  ['members:write', member('OWNER'), 'role_missing'],
])('%s removes %o', (who, target, refusal) => {
  expect(refusesRemoval(callers[who], target)?.refusal).toBe(refusal)
})

test.each<[Who, RoleName, string?]>([
  ['OWNER', 'OWNER'],
  ['ADMIN', 'ADMIN'],
  ['ADMIN', 'OWNER', 'role_missing'],
  ['admin:*', 'OWNER'],
  ['members:write', 'VIEWER'],
  ['members:write', 'ANALYST', 'scope_missing'],
  ['members:write', 'ADMIN', 'role_missing'],
])('%s invites a person as %s', (who, name, refusal) => {
  expect(refusesInvitation(callers[who], { role: role(name), projectIds: null })?.refusal).toBe(refusal)
})

test.each<[RoleName, string?]>([
  ['OWNER', 'validation_failed'],
  ['ADMIN', 'validation_failed'],
  ['EDITOR'],
  ['VIEWER'],
])('%s limited to chosen projects', (name, refusal) => {
  const confined = { role: role(name), projectIds: [] }
  expect(refusesInvitation(callers.OWNER, confined)?.refusal).toBe(refusal)
  expect(refusesChange(callers.OWNER, member('VIEWER'), confined)?.refusal).toBe(refusal)
})

test('everyone except the last owner can leave', () => {
  expect(refusesLeaving(member('VIEWER'))).toBeUndefined()
  expect(refusesLeaving(member('OWNER'))).toBeUndefined()
  expect(refusesLeaving(lastOwner)).toMatchObject({ refusal: 'invalid_state', details: { current: 'LAST_OWNER' } })
})
