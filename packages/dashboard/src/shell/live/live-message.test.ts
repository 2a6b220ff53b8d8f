import { describe, expect, test } from 'vitest'
import { type Change, isOutdated, sentenceOf, speakAt } from './live-message.ts'

const [shop, warehouse] = ['0198f2c6-5e6f-7c3e-8f4a-5b6c7d8e9f00', '0198f2c6-5e6f-7c3e-8f4a-5b6c7d8e9f01']
const change = (more: Partial<Change> = {}): Change => ({
  kind: 'flag',
  id: 'checkout',
  action: 'flag.update',
  projectId: shop,
  by: { type: 'user', id: 'olive', name: 'Olive' },
  requestId: 'request',
  at: '2026-11-20T10:00:00.000Z',
  ...more,
})
const flags = '/api/v1/projects/{projectId}/flags'
const refreshes = { flag: [flags, '/api/v1/projects'], role: ['/api/v1/roles'] }
const of = (projectId: string) => ({ params: { path: { projectId } } })

describe('a change makes outdated', () => {
  test.each([
    ['a path of its kind', ['get', '/api/v1/projects'], 1, true],
    ['a path of its kind in its project', ['get', flags, of(shop)], 1, true],
    ['a path of a project that is named by its number', ['get', flags, of('3')], 1, true],
    ['not a path of a different project', ['get', flags, of(warehouse)], 1, false],
    ['not a path of a different kind', ['get', '/api/v1/roles'], 1, false],
    ['not a longer path', ['get', `${flags}/{flagId}`, of(shop)], 1, false],
    ['not what was read after it', ['get', flags, of(shop)], 3, false],
    ['not what is no call', ['old-address', '/x'], 1, false],
  ])('%s', (_what, queryKey, readAt, outdated) => {
    expect(isOutdated({ queryKey, readAt }, { change: change(), since: 2 }, refreshes)).toBe(outdated)
  })

  test('nothing if its kind is unknown', () => {
    const unknown = change({ kind: 'comet' })
    expect(isOutdated({ queryKey: ['get', flags], readAt: 1 }, { change: unknown, since: 2 }, refreshes)).toBe(false)
  })
})

test.each([
  [change(), 'Olive changed this flag.'],
  [change({ action: 'flag.run' }), 'Olive ran this flag.'],
  [change({ kind: 'service_token', action: 'service_token.rotate' }), 'Olive changed this service token.'],
  [change({ kind: 'comet', action: 'comet.delete' }), 'Olive deleted this page.'],
])('%o is spoken as %s', (told, sentence) => {
  expect(sentenceOf(told)).toBe(sentence)
})

test('a sentence waits until the last one is ten seconds old', () => {
  expect([speakAt(0, 60_000), speakAt(55_000, 60_000), speakAt(50_000, 60_000)]).toEqual([60_000, 65_000, 60_000])
})
