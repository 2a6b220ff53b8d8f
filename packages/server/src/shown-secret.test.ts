import { expect, test } from 'vitest'
import { leadsElsewhere, shownEnd } from './shown-secret.ts'

test.each([
  ['', '…'],
  ['short', '…'],
  ['11-letters.', '…'],
  ['12-letters..', '…rs..'],
])('%j is shown as %s', (secret, shown) => expect(shownEnd(secret)).toBe(shown))

test.each([
  ['https://a.example/x', 'https://a.example/y?z', false],
  ['https://a.example/', 'https://A.example:443/', false],
  ['https://a.example/', 'https://b.example/', true],
  ['https://a.example/', 'https://a.example:8443/', true],
  ['https://a.example/', null, true],
  [null, 'https://a.example/', true],
  [null, null, false],
])('from %s to %s: %s', (before, after, elsewhere) => expect(leadsElsewhere(before, after)).toBe(elsewhere))
