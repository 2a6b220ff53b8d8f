import { expect, it } from 'vitest'
import { refusesHandling, rolesToGive, seesAllProjects } from './ranks.ts'

it.each([
  ['OWNER', 'OWNER', true],
  ['OWNER', 'ADMIN', true],
  ['ADMIN', 'OWNER', false],
  ['ADMIN', 'ADMIN', true],
  ['ADMIN', 'VIEWER', true],
  [undefined, 'OWNER', false],
])('%s can change %s: %s', (mine, theirs, may) => {
  expect(refusesHandling(mine, theirs) === undefined).toBe(may)
})

it.each([
  ['OWNER', ['OWNER', 'ADMIN', 'Support']],
  ['ADMIN', ['ADMIN', 'Support']],
])('%s can give the roles %j', (mine, expected) => {
  const roles = ['OWNER', 'ADMIN', 'Support'].map((name) => ({ name }))
  expect(rolesToGive(roles, mine).map(({ name }) => name)).toEqual(expected)
})

it.each([
  ['OWNER', true],
  ['ADMIN', true],
  ['EDITOR', false],
  ['Support', false],
  [undefined, false],
])('%s sees all projects: %s', (role, expected) => {
  expect(seesAllProjects(role)).toBe(expected)
})
