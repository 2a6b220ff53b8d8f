import { expect, it } from 'vitest'
import { revocationWords, type SdkKey } from './sdk-key.ts'

const now = new Date('2026-11-20T12:00:00Z')
const lastSeenAt = '2026-11-20T11:58:00Z'
const clients = [
  { type: 'node', version: '1.4.0', instances: 12, lastSeenAt },
  { type: 'browser', version: '1.3.0', instances: 1, lastSeenAt },
]

it.each<[string, Pick<SdkKey, 'clients' | 'lastUsedAt'>, string]>([
  ['was never used', { clients: [], lastUsedAt: null }, 'This key was never used.'],
  [
    'has no client',
    { clients: [], lastUsedAt: '2026-11-17T12:00:00Z' },
    'No client reported in the last day that it uses this key. It was last used 3 d ago.',
  ],
  [
    'has clients',
    { clients, lastUsedAt: lastSeenAt },
    'Clients of the last day will not get changes: 12 node 1.4.0, 1 browser 1.3.0. It was last used 2 min ago.',
  ],
  [
    'is used now',
    { clients: clients.slice(1), lastUsedAt: now.toISOString() },
    'Clients of the last day will not get changes: 1 browser 1.3.0. It was last used a moment ago.',
  ],
])('says what a revocation means if the key %s', (_case, key, words) => expect(revocationWords(key, now)).toBe(words))
