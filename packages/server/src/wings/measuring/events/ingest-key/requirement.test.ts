import { expect, test } from 'vitest'
import { ingestKeyIn, needsIngestKey } from './requirement.ts'

test.each([
  ['NONE', false, false],
  ['TRACKED_EVENTS', false, true],
  ['ALL', true, true],
] as const)(
  'with %s, an exposure needs a key: %s, and a tracked event or an order: %s',
  (requiredFor, exposure, track) => {
    expect(needsIngestKey('exposure', requiredFor)).toBe(exposure)
    expect(needsIngestKey('track', requiredFor)).toBe(track)
    expect(needsIngestKey('order', requiredFor)).toBe(track)
  },
)

test.each([
  ['Bearer svc_ing_abc', 'svc_ing_abc'],
  ['bearer  svc_ing_abc ', 'svc_ing_abc'],
  ['Bearer svc_ing_', 'svc_ing_'],
  ['Bearer svc_pat_abc', undefined],
  ['Bearer svc_svc_abc', undefined],
  [undefined, undefined],
  ['', undefined],
  ['Basic c3ZjX2luZ18=', undefined],
  ['Bearer eyJhbGciOiJIUzI1NiJ9', undefined],
  ['Bearer sdk_0pZ9vXyJ3mQ7bT1cN5kR8wE2aL6dG4hF', undefined],
  ['svc_ing_abc', undefined],
  ['Bearer svc_ing_a b', undefined],
])('of the header %j, the key is %j', (header, key) => {
  expect(ingestKeyIn(header)).toBe(key)
})
