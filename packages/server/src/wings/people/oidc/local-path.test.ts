import { expect, test } from 'vitest'
import { localPath, withError } from './local-path.ts'

test.each([
  ['/', '/'],
  ['/account', '/account'],
  ['/projects/1/flags?page=2#new', '/projects/1/flags?page=2#new'],
  ['/a/../b', '/b'],
  ['/a?next=//evil.test', '/a?next=//evil.test'],
  ['/%2F%2Fevil.test', '/%2F%2Fevil.test'],
])('%s is a page of the dashboard', (text, path) => expect(localPath(text)).toBe(path))

test.each([
  undefined,
  '',
  'account',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '/\\/evil.test',
  '\\\\evil.test',
  '/a\\b',
  '/..//evil.test',
  '/.//evil.test',
  '/%2e%2e//evil.test',
  'https://evil.test/',
  'https:evil.test',
  'javascript:alert(1)',
  ' /account',
  '/\t/evil.test',
  '/\n/evil.test',
  '/a\r\nset-cookie: x=1',
  '/ü',
  `/${'a'.repeat(2000)}`,
])('%j leads to the start page', (text) => expect(localPath(text)).toBe('/'))

test.each([
  ['/sign-in', '/sign-in?error=expired'],
  ['/account?tab=2#x', '/account?tab=2&error=expired#x'],
])('%s with an error', (path, expected) => expect(withError(path, 'expired')).toBe(expected))
