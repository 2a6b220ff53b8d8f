import { describe, expect, it } from 'vitest'
import { numberIn, segmentOf, withSegment } from './address.ts'

it.each([
  [{ shortId: 3, name: 'Web shop' }, '3-web-shop'],
  [{ shortId: 7, name: 'Café Crème GmbH' }, '7-cafe-creme-gmbh'],
  [{ shortId: 12, name: ' –– ' }, '12'],
  [{ shortId: 1, name: '日本語' }, '1'],
  [{ shortId: 1, name: '2024 roadmap' }, '1-2024-roadmap'],
  [{ shortId: 5, name: '"><script>alert(1)</script>' }, '5-script-alert-1-script'],
  [{ shortId: 9, name: `${'a'.repeat(39)} shop` }, `9-${'a'.repeat(39)}`],
])('the segment of %j is %s', (named, segment) => {
  expect(segmentOf(named)).toBe(segment)
  expect(numberIn(segment)).toBe(named.shortId)
})

describe('the number in a segment', () => {
  it.each([
    ['3', 3],
    ['3-', 3],
    ['3-any-other-words', 3],
    ['web-shop', undefined],
    ['3web', undefined],
    ['03-web', undefined],
    ['0', undefined],
    ['', undefined],
    ['-3', undefined],
    ['9999999999', undefined],
    ['0198f2c6-7d5e-7000-8000-000000000000', undefined],
  ])('%j: %s', (segment, number) => {
    expect(numberIn(segment)).toBe(number)
  })
})

it.each([
  ['/7-old', 0, '7-acme', '/7-acme'],
  ['/7-old/3-shop/flags/a?env=production#x', 0, '7-acme', '/7-acme/3-shop/flags/a?env=production#x'],
  ['/7-acme/3?env=a/b', 1, '3-web-shop', '/7-acme/3-web-shop?env=a/b'],
])('%s with another segment at %i', (href, place, segment, expected) => {
  expect(withSegment(href, place, segment)).toBe(expected)
})
