import { expect, it } from 'vitest'
import { slugOf, slugs } from './slug.ts'

it.each([
  ['Stale flags', 'stale-flags'],
  ['already_exists', 'already_exists'],
  ['webhook.delivery_retried', 'webhookdelivery_retried'],
  ['Edit, look, publish', 'edit-look-publish'],
  ["The operator's command", 'the-operators-command'],
  ['17. Über Straßen', '17-über-straßen'],
])('%s gets the id %s', (heading, slug) => expect(slugOf(heading)).toBe(slug))

it('repeated headings get a number', () => {
  const nameOf = slugs()
  expect(['Stop', 'Stop', 'Start', 'Stop'].map(nameOf)).toEqual(['stop', 'stop-1', 'start', 'stop-2'])
})
