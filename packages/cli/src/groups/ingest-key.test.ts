import { expect, it } from 'vitest'
import { lastUseWords } from './ingest-key.ts'

const now = new Date('2026-11-20T12:00:00Z')
const unused = { lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null }
const refused = 'Servers that still have it will be refused.'

it.each([
  ['was never used', unused, 'This key was never used.'],
  [
    'was used by a program',
    { lastUsedAt: '2026-11-20T11:58:00Z', lastUsedIp: '203.0.113.7', lastUsedUserAgent: 'node' },
    `It was last used 2 min ago by 203.0.113.7 node. ${refused}`,
  ],
  [
    'is used by a program without a name',
    { lastUsedAt: now.toISOString(), lastUsedIp: '203.0.113.7', lastUsedUserAgent: null },
    `It was last used a moment ago by 203.0.113.7. ${refused}`,
  ],
])('says who used a key that %s', (_case, key, words) => expect(lastUseWords(key, now)).toBe(words))
