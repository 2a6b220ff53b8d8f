import { expect, it } from 'vitest'
import { safeReturnTo } from './return-to.ts'

it.each([
  ['/', '/'],
  ['/account', '/account'],
  ['/settings/audit?from=2026-01-01', '/settings/audit?from=2026-01-01'],
  ['/join', '/join'],
])('the sign-in accepts %s, a page of the dashboard', (value, expected) => {
  expect(safeReturnTo(value)).toBe(expected)
})

it.each([
  'https://evil.example/',
  '//evil.example',
  '/..//evil.example',
  '/.//evil.example/%2f',
  '/\\evil.example',
  '/\t/evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  'account',
  '',
  '/sign-in?returnTo=/sign-in',
  '/sign-up',
  '/reset',
  undefined,
  ['/account'],
])('the sign-in replaces %j with the home page', (value) => {
  expect(safeReturnTo(value)).toBe('/')
})
