import { expect, it } from 'vitest'
import { calledBy, isStricter, lastUseWords } from './ingest-key.ts'

const now = new Date('2026-11-20T12:00:00Z')
const unused = { lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null }
const refused = 'Servers that still have it will be refused.'

it.each([
  ['was never used', unused, 'This key was never used.'],
  [
    'was used by a program',
    { lastUsedAt: '2026-11-20T11:58:00Z', lastUsedIp: '203.0.113.7', lastUsedUserAgent: 'node' },
    `It was last used 2 min ago from 203.0.113.7 by node. ${refused}`,
  ],
  [
    'is used by a program without a name',
    { lastUsedAt: now.toISOString(), lastUsedIp: '203.0.113.7', lastUsedUserAgent: null },
    `It was last used a moment ago from 203.0.113.7. ${refused}`,
  ],
])('says who used a key that %s', (_case, key, words) => expect(lastUseWords(key, now)).toBe(words))

it.each([
  ['k3Qd', 'k3Qd'],
  ['…k3Qd', 'k3Qd'],
  ['svc_ing_…k3Qd', 'k3Qd'],
  ['svc_ing_put-the-32-random-bytes-of-your-key-in-k3Qd', 'k3Qd'],
  ['svc_ing_part-of-a-k3Qd', 'k3Qd'],
  ['0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'],
])('looks for %j by %j', (given, called) => expect(calledBy(given)).toBe(called))

it.each([
  ['TRACKED_EVENTS', 'NONE', true],
  ['ALL', 'NONE', true],
  ['ALL', 'TRACKED_EVENTS', true],
  ['TRACKED_EVENTS', 'ALL', false],
  ['NONE', 'ALL', false],
  ['ALL', 'ALL', false],
] as const)('%s after %s is stricter: %s', (wanted, before, expected) =>
  expect(isStricter(wanted, before)).toBe(expected),
)
