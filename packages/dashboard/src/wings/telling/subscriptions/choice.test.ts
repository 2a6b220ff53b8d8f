import { describe, expect, test } from 'vitest'
import { startingEvents } from '../deliveries/events.ts'
import { choicesOf, type Line, lineOf, problemIn, type Subscription, shownWhat, subscriptionsOf } from './choice.ts'

const subscription = (more: Partial<Subscription> = {}): Subscription => ({
  ...{ projectId: 'shop', project: { name: 'Web shop' }, events: [], digest: 'NONE' },
  ...{ isDefault: false, disableReason: null },
  ...more,
})
const line = (more: Partial<Line> = {}): Line => ({ ...lineOf(subscription()), ...more })

test.each<[Partial<Subscription>, Line['what'], string[]]>([
  [{ isDefault: true }, 'DEFAULT', startingEvents],
  [{ isDefault: true, events: 'SAFETY' }, 'DEFAULT', startingEvents],
  [{ events: [] }, 'NOTHING', startingEvents],
  [{ events: 'SAFETY' }, 'SAFETY', startingEvents],
  [{ events: ['flag.created'] }, 'CHOSEN', ['flag.created']],
])('%j is shown as %s', (more, what, events) => {
  expect(lineOf(subscription(more))).toMatchObject({ what, events })
})

test('who hears nothing by role has one choice for it', () => {
  const labels = choicesOf([]).map(({ label }) => label)
  expect(labels.filter((label) => label === 'Nothing')).toHaveLength(1)
  expect(shownWhat('NOTHING', [])).toBe('DEFAULT')
})

test('who hears safety events by role can refuse them', () => {
  expect(choicesOf('SAFETY').map(({ value }) => value)).toEqual(['DEFAULT', 'NOTHING', 'SAFETY', 'CHOSEN'])
  expect(shownWhat('NOTHING', 'SAFETY')).toBe('NOTHING')
})

describe('a save', () => {
  test('names each project that has a choice of its own', () => {
    const lines = [
      line({ projectId: 'a', what: 'DEFAULT' }),
      line({ projectId: 'b', what: 'NOTHING', digest: 'DAILY' }),
      line({ projectId: 'c', what: 'SAFETY' }),
      line({ projectId: 'd', what: 'CHOSEN', events: ['flag.created'], digest: 'DAILY' }),
    ]
    expect(subscriptionsOf(lines)).toEqual([
      { projectId: 'b', events: [], digest: 'NONE' },
      { projectId: 'c', events: 'SAFETY', digest: 'NONE' },
      { projectId: 'd', events: ['flag.created'], digest: 'DAILY' },
    ])
  })

  test('needs an event where events are chosen', () => {
    expect(problemIn([line({ what: 'CHOSEN', events: [] })])).toBe(
      'Choose at least one event in Web shop, or choose nothing.',
    )
    expect(problemIn([line({ what: 'NOTHING', events: [] }), line({ what: 'CHOSEN' })])).toBeUndefined()
  })
})
