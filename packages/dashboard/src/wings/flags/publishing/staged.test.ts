import { describe, expect, it } from 'vitest'
import { changeNames, countOf, freshPaths, movesOf, seenIn, warningSentence, withFirst } from './staged.ts'

const rule = { id: 'r1', name: 'Benelux' }
const list = {
  flags: [
    {
      flagId: 'f1',
      changes: [
        { path: 'rules.r1', rules: [rule] },
        { path: 'overrides', rules: [] },
      ],
    },
  ],
  audiences: [{ audienceId: 'a1', changes: [{ path: 'conditions', rules: [] }] }],
}

describe('a staged list', () => {
  it('counts its changes', () => {
    expect([countOf(list.flags), countOf(list.audiences), countOf([])]).toEqual([2, 1, 0])
  })

  it('begins with the flags that a person came for', () => {
    const flags = ['a', 'b', 'c', 'd'].map((key) => ({ key }))
    expect(withFirst(flags, ['d', 'b']).map(({ key }) => key)).toEqual(['b', 'd', 'a', 'c'])
    expect(withFirst(flags, [])).toEqual(flags)
  })

  it('knows which changes came later', () => {
    const seen = seenIn({ flags: [{ flagId: 'f1', changes: [{ path: 'overrides', rules: [] }] }], audiences: [] })
    expect([...freshPaths(list, seen)]).toEqual(['f1 rules.r1', 'a1 conditions'])
    expect([...freshPaths(list, seenIn(list))]).toEqual([])
  })

  it('knows which changes have a different value than before', () => {
    const shares = (to: number) => ({
      flags: [{ flagId: 'f1', changes: [{ path: 'rules.r1.share', to, rules: [rule] }] }],
      audiences: list.audiences,
    })
    expect([...freshPaths(shares(9000), seenIn(shares(5000)))]).toEqual(['f1 rules.r1.share'])
    expect([...freshPaths(shares(5000), seenIn(shares(5000)))]).toEqual([])
  })

  it('names its rules itself', () => {
    expect(changeNames(list, undefined).rules).toEqual(new Map([['r1', 'Benelux']]))
  })

  it('asks about moves of the chosen flags only, and again for other weights, but not for more visitors', () => {
    const split = (to: number) => [{ changes: [{ path: 'rules.r1.variations', rules: [rule], to }] }]
    const warnings = [{ ruleId: 'r1', visitors: null }]
    expect(movesOf(split(80), warnings).warnings).toEqual(warnings)
    expect(movesOf(split(80), warnings).subject).not.toBe(movesOf(split(90), warnings).subject)
    const counted = [{ ruleId: 'r1', visitors: 7 }]
    expect(movesOf(split(80), counted).subject).toBe(movesOf(split(80), warnings).subject)
    expect(movesOf([], warnings).warnings).toEqual([])
  })

  it.each([
    [{ ruleId: 'r1', visitors: 1204 }, 'Benelux: new weights give about 1,204 counted visitors another variation.'],
    [{ ruleId: 'r1', visitors: null }, 'Benelux: new weights give some visitors another variation.'],
    [{ ruleId: 'gone', visitors: 1 }, 'An A/B test: new weights give about 1 counted visitor another variation.'],
  ])('warns of %j', (warning, sentence) => {
    const words = warningSentence(warning, changeNames(list, undefined))
    expect(words).toBe(`${sentence} A new phase of its results begins.`)
  })
})
