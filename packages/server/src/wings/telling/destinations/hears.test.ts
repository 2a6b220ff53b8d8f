import { describe, expect, test } from 'vitest'
import type { EventName } from '../../../catalogue/events.ts'
import { type Ears, hears } from './hears.ts'

const shop = 'shop'
const flagEvent = { name: 'flag.published' as EventName, projectId: shop, payload: about('production', 'Checkout') }
const safetyEvent = { name: 'flag.srm_failed' as EventName, projectId: shop, payload: about('production', 'Checkout') }
const placeless = { name: 'segment.updated' as EventName, projectId: shop, payload: { segment: { name: 'Testers' } } }
const wide = { name: 'webhook.disabled' as EventName, projectId: 'blog', payload: { webhook: { name: 'Hook' } } }

function about(id: string, name: string): Record<string, unknown> {
  return { environment: { id, name: 'Production' }, flag: { name, key: 'checkout' } }
}

const all = ['flag.published', 'flag.srm_failed', 'segment.updated', 'webhook.disabled'] as const
const ears = (more: Partial<Ears> = {}): Ears => ({
  kind: 'SLACK',
  projectId: shop,
  allProjects: false,
  isOwn: false,
  events: all,
  environmentIds: null,
  filter: null,
  ...more,
})
const include = (keyword: string) => ({ filter: { mode: 'INCLUDE' as const, keywords: [keyword] } })
const exclude = (keyword: string) => ({ filter: { mode: 'EXCLUDE' as const, keywords: [keyword] } })

const elsewhere = { ...flagEvent, projectId: 'blog' }

test.each<[string, Partial<Ears>, Parameters<typeof hears>[1], boolean]>([
  ['an event of its project', {}, flagEvent, true],
  ['an event of a different project', {}, elsewhere, false],
  ['an event of a different project, hearing all of them', { allProjects: true }, elsewhere, true],
  ['an event of the whole organization', {}, wide, true],
  ['an event of the whole organization in a different project, as mail of a person', { isOwn: true }, wide, false],
  ['an event of the whole organization, as mail of a person', { isOwn: true, projectId: 'blog' }, wide, true],
  ['a safety event, hearing all of them', { events: ['SAFETY'] }, safetyEvent, true],
  ['any other event, hearing all safety events', { events: ['SAFETY'] }, flagEvent, false],
  ['an event that it does not name', { events: ['segment.updated'] }, flagEvent, false],
  ['a safety event that it does not name', { events: ['segment.updated'] }, safetyEvent, false],
  ['an event of its environment', { environmentIds: ['production'] }, flagEvent, true],
  ['an event of a different environment', { environmentIds: ['staging'] }, flagEvent, false],
  ['a safety event of a different environment', { environmentIds: ['staging'] }, safetyEvent, true],
  ['an event of no environment', { environmentIds: ['staging'] }, placeless, true],
  ['an event that has a keyword', include('checkout'), flagEvent, true],
  ['an event without any keyword', include('basket'), flagEvent, false],
  ['a safety event without any keyword', include('basket'), safetyEvent, true],
  ['an event with an excluded keyword', exclude('checkout'), flagEvent, false],
  ['a safety event with an excluded keyword', exclude('checkout'), safetyEvent, true],
  ['both an environment and a keyword', { environmentIds: ['production'], ...include('basket') }, flagEvent, false],
])('%s', (_, more, event, isHeard) => {
  expect(hears(ears(more), event, [])).toBe(isHeard)
})

describe('the end of a ticket', () => {
  const stopping = (more: Partial<Ears>) =>
    hears(ears({ events: ['flag.srm_failed'], ...more }), flagEvent, ['flag.srm_failed'])

  test('is heard where the ticket is made', () => {
    expect(stopping({ kind: 'JIRA' })).toBe(true)
  })

  test('is heard in spite of the filter, because the alarm was', () => {
    expect(stopping({ kind: 'PAGERDUTY', environmentIds: ['staging'], ...include('basket') })).toBe(true)
  })

  test('is not heard in a chat', () => {
    expect(stopping({ kind: 'SLACK' })).toBe(false)
  })

  test('is not heard in a different project', () => {
    expect(stopping({ kind: 'JIRA', projectId: 'blog' })).toBe(false)
  })

  test('is heard only where the ticket is made', () => {
    expect(stopping({ kind: 'JIRA', events: ['experiment.srm_failed'] })).toBe(false)
  })
})

/** The table of the documentation, read from top to bottom. The first "no" ends it. */
function byTheTable(
  { projectId, allProjects, events, environmentIds, filter }: Ears,
  event: Parameters<typeof hears>[1],
) {
  const isSafety = event.name === 'flag.srm_failed' || event.name === 'webhook.disabled'
  const { environment, ...others } = event.payload as Record<string, { id?: string; name: string; key?: string }>
  const texts = [environment, ...Object.values(others)].flatMap((each) => [each?.name ?? '', each?.key ?? ''])
  const hasKeyword = filter?.keywords.some((word) => texts.some((text) => text.toLowerCase().includes(word)))
  const questions = [
    projectId === event.projectId || allProjects || event.name === 'webhook.disabled',
    events.includes(event.name),
    isSafety || environmentIds === null || !environment || environmentIds.includes(environment.id!),
    isSafety || filter === null || hasKeyword === (filter.mode === 'INCLUDE'),
  ]
  return questions.every(Boolean)
}

test('every case of the table', () => {
  const places = [{}, { projectId: 'blog' }, { projectId: 'blog', allProjects: true }]
  const subscriptions = [all, ['segment.updated'] as const, ['flag.srm_failed', 'webhook.disabled'] as const]
  const environments = [null, ['production'], ['staging']]
  const filters = [{ filter: null }, include('checkout'), include('basket'), exclude('checkout'), exclude('basket')]
  const cases = places.flatMap((place) =>
    subscriptions.flatMap((events) =>
      environments.flatMap((environmentIds) =>
        filters.flatMap((filter) =>
          [flagEvent, safetyEvent, placeless, wide].map((event) => ({
            wanted: ears({ ...place, events, environmentIds, ...filter }),
            event,
          })),
        ),
      ),
    ),
  )
  expect(cases).toHaveLength(540)
  const heard = cases.map(({ wanted, event }) => hears(wanted, event, []))
  expect(heard).toEqual(cases.map(({ wanted, event }) => byTheTable(wanted, event)))
  expect(new Set(heard).size).toBe(2)
})
