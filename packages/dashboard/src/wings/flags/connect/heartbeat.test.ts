import { expect, it } from 'vitest'
import { connectedWords, waited } from './heartbeat.ts'

it.each([
  [-5, '0:00'],
  [999, '0:00'],
  [42_400, '0:42'],
  [60_000, '1:00'],
  [3_725_000, '62:05'],
])('a wait of %i ms reads %s', (ms, words) => {
  expect(waited(ms)).toBe(words)
})

const earlier = '2026-06-15T12:00:00.000Z'
const later = '2026-06-15T12:00:10.000Z'
const node = { sdkType: 'node', sdkVersion: '1.4.0', revision: 3, lastSeenAt: earlier }
const browser = { sdkType: 'browser', sdkVersion: '1.3.9', revision: null, lastSeenAt: later }
const sdk = { type: 'edge', version: '1.2.0', lastSeenAt: earlier }

it.each([
  ['nothing', [], [], undefined],
  ['one client', [node], [], 'node, SDK 1.4.0, revision 3'],
  ['the client heard of last', [node, browser], [sdk], 'browser, SDK 1.3.9'],
  ['an SDK whose clients cannot be read', [], [sdk], 'edge, SDK 1.2.0'],
])('%s is put in words', (_what, clients, sdks, words) => {
  expect(connectedWords(clients, sdks)).toBe(words)
})
