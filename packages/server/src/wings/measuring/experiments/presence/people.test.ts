import { beforeEach, describe, expect, test } from 'vitest'
import { createPeople, most, type Presence, presentMs, type Said } from './people.ts'

const said = (more: Partial<Said> = {}): Said => ({
  ...{ orgId: 'acme', projectId: 'shop', experimentId: 'x1', userId: 'ada', name: 'Ada' },
  ...{ variationKey: 'price', place: 'FORM', since: '2026-12-01T10:00:00.000Z', leaving: false },
  ...more,
})

let told: Presence[]
let people: ReturnType<typeof createPeople>
const names = () => people.of('acme', 'x1').map(({ name }) => name)

beforeEach(() => {
  told = []
  people = createPeople((_orgId, presence) => told.push(presence))
})

describe('somebody who edits', () => {
  test('is there for 45 seconds after the last word', () => {
    people.note(said(), 0)
    people.note(said(), 20_000)
    people.forget(20_000 + presentMs - 1)
    expect(names()).toEqual(['Ada'])
    people.forget(20_000 + presentMs)
    expect(names()).toEqual([])
    expect(people.all('acme')).toEqual([])
  })

  test('is told when coming, when changing to another variation and when leaving, and not in between', () => {
    people.note(said(), 0)
    people.note(said({ since: '2026-12-01T10:00:20.000Z' }), 20_000)
    people.note(said({ variationKey: 'badge', since: '2026-12-01T10:00:40.000Z' }), 40_000)
    people.note(said({ leaving: true }), 50_000)
    people.note(said({ leaving: true }), 50_000)
    const person = { userId: 'ada', name: 'Ada', place: 'FORM' }
    expect(told).toEqual([
      { projectId: 'shop', experimentId: 'x1', people: [{ ...person, variationKey: 'price', since: said().since }] },
      {
        ...{ projectId: 'shop', experimentId: 'x1' },
        people: [{ ...person, variationKey: 'badge', since: '2026-12-01T10:00:40.000Z' }],
      },
      { projectId: 'shop', experimentId: 'x1', people: [] },
    ])
  })

  test('can be in the form and in the editor', () => {
    people.note(said(), 0)
    people.note(said({ place: 'EDITOR' }), 0)
    expect(people.of('acme', 'x1').map(({ place }) => place)).toEqual(['EDITOR', 'FORM'])
    people.note(said({ leaving: true }), 0)
    expect(people.of('acme', 'x1').map(({ place }) => place)).toEqual(['EDITOR'])
  })

  test('is known to one organization and one experiment', () => {
    people.note(said(), 0)
    expect(people.of('acme', 'x2')).toEqual([])
    expect(people.all('other')).toEqual([])
  })
})

test('a node knows a limited number of people, and those whom it knows stay', () => {
  for (let number = 0; number < most.ofExperiment + 5; number += 1) people.note(said({ userId: `u${number}` }), 0)
  expect(people.of('acme', 'x1')).toHaveLength(most.ofExperiment)
  people.note(said({ userId: 'u0', variationKey: 'badge' }), 0)
  expect(people.of('acme', 'x1')[0]).toMatchObject({ userId: 'u0', variationKey: 'badge' })
  for (let number = 0; number < most.ofOrganization; number += 1) people.note(said({ experimentId: `y${number}` }), 0)
  expect(people.all('acme').reduce((sum, each) => sum + each.people.length, 0)).toBe(most.ofOrganization)
})
