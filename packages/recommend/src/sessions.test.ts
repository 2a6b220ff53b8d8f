import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { interactionsFrom, pairs, productCount, runs, someActions, sortedBest, start } from '../testing/naive.ts'
import { listCount, listOf } from './rows.ts'
import { fromSessions, type Sessions, sessionIndex, sessionsOf } from './sessions.ts'

const minuteMs = 60_000
const listsIn = (sessions: Sessions) => Array.from({ length: listCount(sessions) }, (_, n) => [...listOf(sessions, n)])
const cut = (actions: Parameters<typeof interactionsFrom>[0], most?: number) =>
  sessionsOf(interactionsFrom(actions), { unitCount: 6, productCount, ...(most !== undefined && { most }) })
const action = (unit: number, product: number, minute: number) => ({ unit, product, at: start + minute * minuteMs })

describe('sessions', () => {
  test('end after 30 minutes, and have more than one product', () => {
    const actions = [
      action(1, 4, 0),
      action(1, 2, 30),
      action(1, 4, 40),
      action(1, 3, 71),
      action(0, 5, 50),
      action(0, 1, 55),
    ]
    expect(listsIn(cut(actions))).toEqual([
      [4, 2],
      [5, 1],
    ])
  })

  test('are the newest of too many', () => {
    const actions = [0, 1, 2].flatMap((unit) => [action(unit, unit, unit), action(unit, unit + 1, unit)])
    expect(listsIn(cut(actions, 2))).toEqual([
      [1, 2],
      [2, 3],
    ])
  })
})

/** VMIS-kNN by its words. */
function naive(sessions: number[][], seen: number[], { last, recent, similar, most }: Record<string, number>) {
  const latest = [...new Set(seen.toReversed())].slice(0, last)
  const candidates = new Map<number, { similarity: number; position: number }>()
  for (const [n, product] of latest.entries()) {
    const having = [...sessions.keys()].filter((session) => sessions[session]!.includes(product)).slice(-recent!)
    for (const session of having) {
      const { similarity, position } = candidates.get(session) ?? { similarity: 0, position: n + 1 }
      candidates.set(session, { similarity: similarity + (latest.length - n) / latest.length, position })
    }
  }
  const nearest = [...candidates]
    .sort(([one, a], [other, b]) => b.similarity - a.similarity || other - one)
    .slice(0, similar)
  const scores = new Map<number, number>()
  for (const [session, { similarity, position }] of nearest)
    for (const product of sessions[session]!) {
      const having = sessions.filter((list) => list.includes(product)).length
      const idf = Math.fround(Math.log(sessions.length / having))
      scores.set(product, (scores.get(product) ?? 0) + (1 - 0.1 * position) * similarity * idf)
    }
  return sortedBest(
    [...scores].filter(([product, score]) => score > 0 && !seen.includes(product)),
    most!,
  )
}

it('what past sessions recommend is what the words of the method say', () => {
  const settings = fc.record({
    last: fc.integer({ min: 1, max: 4 }),
    recent: fc.integer({ min: 1, max: 4 }),
    similar: fc.integer({ min: 1, max: 5 }),
  })
  fc.assert(
    fc.property(someActions, fc.array(fc.nat(productCount - 1), { maxLength: 6 }), settings, (actions, seen, of) => {
      const sessions = cut(actions)
      const recommend = fromSessions(sessionIndex(sessions, of.recent), of)
      const expected = naive(listsIn(sessions), seen, { ...of, most: 5 })
      for (let time = 0; time < 2; time += 1) {
        const found = pairs(recommend(seen, seen, 5))
        expect(found.map(([product]) => product)).toEqual(expected.map(([product]) => product))
        for (const [n, [, score]] of expected.entries()) expect(found[n]![1]).toBeCloseTo(score, 9)
      }
    }),
    runs,
  )
})

test('the next step of a path that visitors take is first', () => {
  // From a phone they go on to its case, from a camera to a card; both come by the home page.
  const [home, phone, phoneCase, camera, card] = [0, 1, 2, 3, 4] as const
  const paths = Array.from({ length: 20 }, (_, unit) =>
    unit % 2 === 0 ? [home, phone, phoneCase] : [home, camera, card],
  )
  const actions = paths.flatMap((path, unit) =>
    path.map((product, step) => action(unit % 6, product, 100 * unit + step)),
  )
  const recommend = fromSessions(sessionIndex(cut(actions)))
  expect(pairs(recommend([home, phone], [home, phone], 1))[0]![0]).toBe(phoneCase)
  expect(pairs(recommend([home, camera], [home, camera], 1))[0]![0]).toBe(card)
})
