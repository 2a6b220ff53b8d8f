import { expect, test } from 'vitest'
import { retryFrame } from '../../../http/event-stream.ts'
import { changeFrame, lastSeen } from './frame.ts'

const publishedAt = new Date('2026-11-20T10:00:00.700Z')

test('an event has the revision, the ETag and the time of the publish in seconds', () => {
  expect(changeFrame({ revision: 42, etag: '"sha256-ab"', publishedAt, change: null }).toString()).toBe(
    'id: 42\ndata: {"type":"refetchEvaluation","etag":"\\"sha256-ab\\"","lastModified":1795168800}\n\n',
  )
})

test('the event of a file that was never published has no time', () => {
  expect(changeFrame({ revision: 0, etag: '"e"', publishedAt: null, change: null }).toString()).toBe(
    'id: 0\ndata: {"type":"refetchEvaluation","etag":"\\"e\\""}\n\n',
  )
})

test('an event contains the change from the previous file on the same line', () => {
  const change = { from: '"a"', flags: '{"checkout":{"type":"boolean"},"old":null}' }
  const [id, data = '', ...rest] = changeFrame({ revision: 7, etag: '"b"', publishedAt, change }).toString().split('\n')
  expect([id, ...rest]).toEqual(['id: 7', '', ''])
  expect(JSON.parse(data.slice('data: '.length))).toEqual({
    type: 'refetchEvaluation',
    etag: '"b"',
    lastModified: 1795168800,
    change: {
      from: '"a"',
      publishedAt: '2026-11-20T10:00:00.700Z',
      flags: { checkout: { type: 'boolean' }, old: null },
    },
  })
})

test('clients reconnect at different times', () => {
  expect([0, 0.5, 1].map(retryFrame)).toEqual(['retry: 1000\n\n', 'retry: 3000\n\n', 'retry: 5000\n\n'])
})

test.each([
  ['42', 42],
  ['0', 0],
  [undefined, -1],
  ['', -1],
  ['-3', -1],
  ['1e3', -1],
  ['evt-1234', -1],
  ['9'.repeat(40), -1],
])('the last event id %s means revision %i', (id, revision) => {
  expect(lastSeen(id)).toBe(revision)
})
