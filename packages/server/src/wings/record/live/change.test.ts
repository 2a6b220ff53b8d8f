import { describe, expect, test } from 'vitest'
import type { AuditedNoun } from '../../../catalogue/nouns.ts'
import { membershipScopes, type Scope } from '../../../catalogue/scopes.ts'
import { type Change, changeFrame, isToldTo, seesTheSame, startOf } from './change.ts'

const member = new Set<Scope>(membershipScopes)
const administrator = new Set<Scope>([...membershipScopes, 'audit:read'])
const nothing = new Set<Scope>()

const change = (kind: AuditedNoun, more: Partial<Change> = {}): Change => ({
  seq: 1,
  at: new Date('2026-11-20T10:00:00.000Z'),
  kind,
  id: 'object',
  action: `${kind}.update`,
  projectId: null,
  by: { type: 'user', id: 'olive', name: 'Olive' },
  requestId: 'request',
  ...more,
})
const reader = (scopes: ReadonlySet<Scope>, projects: string[] | null = null) => ({
  userId: 'ada',
  scopes,
  projects: projects && new Set(projects),
})

describe('who is notified of a change', () => {
  test.each<[string, Change, ReturnType<typeof reader>, boolean]>([
    ['a role, to a member', change('role'), reader(member), true],
    ['a role, without the scope', change('role'), reader(nothing), false],
    ['a flag, to a member', change('flag', { projectId: 'p' }), reader(member), true],
    ['a flag, without the scope', change('flag', { projectId: 'p' }), reader(new Set(['roles:read'])), false],
    ['a flag, with all scopes', change('flag', { projectId: 'p' }), reader(new Set(['admin:*'])), true],
    ['a flag of a chosen project', change('flag', { projectId: 'p' }), reader(member, ['p', 'q']), true],
    ['a flag of another project', change('flag', { projectId: 'p' }), reader(member, ['q']), false],
    [
      'a flag of another project, to an administrator',
      change('flag', { projectId: 'p' }),
      reader(administrator, []),
      false,
    ],
    ['a service token, to a member', change('service_token'), reader(member), false],
    ['a service token, to an administrator', change('service_token'), reader(administrator), true],
    ['a session of another person', change('session'), reader(member), false],
    ['a session of another person, to an administrator', change('session'), reader(administrator), true],
    ['an own session', change('session', { by: { type: 'user', id: 'ada', name: 'Ada' } }), reader(member), true],
    ['the account of another person', change('user', { id: 'olive' }), reader(member), false],
    ['the own account, changed by an administrator', change('user', { id: 'ada' }), reader(member), true],
  ])('%s: %4$s', (_what, told, to, isTold) => {
    expect(isToldTo(told, to)).toBe(isTold)
  })
})

test.each<[string, Set<Scope>, Set<string> | null, boolean]>([
  ['the same', new Set(['flags:read']), new Set(['p']), true],
  ['a scope more', new Set(['flags:read', 'audit:read']), new Set(['p']), false],
  ['a different scope', new Set(['roles:read']), new Set(['p']), false],
  ['a project less', new Set(['flags:read']), new Set(), false],
  ['all projects', new Set(['flags:read']), null, false],
])('a membership with %s', (_what, scopes, projects, isSame) => {
  expect(seesTheSame({ scopes: new Set(['flags:read']), projects: new Set(['p']) }, { scopes, projects })).toBe(isSame)
})

describe('where a stream begins', () => {
  const now = new Date('2026-11-20T10:01:00.000Z')
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const recent = [
    { seq: 5, at: ago(3600) },
    { seq: 6, at: ago(11) },
    { seq: 7, at: ago(9) },
    { seq: 8, at: ago(0) },
  ]
  test.each([
    ['without an id, ten seconds ago', recent, undefined, 6],
    ['without an id, if every known change is younger', recent.slice(2), undefined, 6],
    ['without an id and without changes', [], undefined, 0],
    ['after the newest', recent, '8', 8],
    ['after an earlier one', recent, '5', 5],
    ['before the oldest that is kept', recent, '4', 4],
    ['with changes that are no longer kept', recent, '3', null],
    ['with a number that does not exist yet', recent, '9', null],
    ['with a number of a different database', [], '9', null],
    ['at the beginning', [], '0', 0],
    ['with something else', recent, 'x', null],
  ])('%s', (_what, changes, lastEventId, start) => {
    expect(startOf(changes, lastEventId, now)).toBe(start)
  })
})

test('an event has one line of data, whatever its names contain', () => {
  const frame = changeFrame(change('role', { by: { type: 'user', id: 'o', name: 'O\n\ndata: {}\r\u2028' } }))
  const [id, data = '', ...rest] = frame.split('\n')
  expect([id, ...rest]).toEqual(['id: 1', '', ''])
  expect(data).not.toContain('\r')
  expect(JSON.parse(data.slice('data: '.length)).by.name).toBe('O\n\ndata: {}\r\u2028')
})
