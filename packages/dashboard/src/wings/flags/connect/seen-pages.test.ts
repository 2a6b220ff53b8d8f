import { expect, it } from 'vitest'
import { isListed, secondsAgo, seenHosts } from './seen-pages.ts'

const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`
const client = (instanceId: string | null, minute: number, sdkType = 'web', revisionsBehind: number | null = 0) => ({
  ...{ sdkType, instanceId, lastSeenAt: at(minute), revisionsBehind },
})

it('the hosts of pages come newest first, each once, without other clients', () => {
  const clients = [
    client('web:shop.example', 1, 'web', 2),
    client('web:blog.example', 2),
    client('web:shop.example', 3),
    client('checkout-7d9f', 4, 'node'),
    client(null, 5),
  ]
  expect(seenHosts(clients)).toEqual([
    { host: 'shop.example', lastSeenAt: at(3), revisionsBehind: 0 },
    { host: 'blog.example', lastSeenAt: at(2), revisionsBehind: 0 },
  ])
})

it.each([
  [0, 'just now'],
  [999, 'just now'],
  [-4000, 'just now'],
  [12_000, '12 s ago'],
  [59_999, '59 s ago'],
  [60_000, '1 min ago'],
  [7_300_000, '2 h ago'],
  [90_000_000, '1 d ago'],
])('a time %d ms before now reads “%s”', (ms, words) => {
  expect(secondsAgo(at(0), Date.parse(at(0)) + ms)).toBe(words)
})

it.each([
  ['shop.example', ['shop.example'], true],
  ['www.shop.example', ['shop.example'], false],
  ['www.shop.example', ['*.shop.example'], true],
  ['shop.example', ['*.shop.example'], false],
  ['evilshop.example', ['*.shop.example'], false],
  ['shop.example', [], false],
])('%s is among %o: %s', (host, hosts, expected) => {
  expect(isListed(host, hosts)).toBe(expected)
})
