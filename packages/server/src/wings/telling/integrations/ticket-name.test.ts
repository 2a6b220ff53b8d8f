import { expect, test } from 'vitest'
import type { KindName } from '../destinations/index.ts'
import { ticketName } from './ticket-name.ts'

test.each<[KindName, string, string | null, string | null]>([
  ['JIRA', 'OPS-7', 'https://acme.atlassian.net/browse/OPS-7', 'OPS-7'],
  ['GITHUB', '7', 'https://github.com/acme/shop/issues/7', '#7'],
  ['LINEAR', '0199c0de', 'https://linear.app/acme/issue/OPS-7/a-title', 'OPS-7'],
  ['LINEAR', '0199c0de', 'https://linear.app/acme', null],
  ['PAGERDUTY', 'svc-1', null, null],
])('%s calls %s at %s %s', (kind, externalId, url, name) => {
  expect(ticketName(kind, { externalId, url })).toBe(name)
})
