import { expect, it } from 'vitest'
import { attributesIn, type Reach, reachInWords } from './reach-words.ts'

const sample = { visitors: 1000, from: '2026-11-26T07:12:40.000Z', to: '2026-11-27T09:59:12.000Z' }
const reach: Reach = { envId: 'e', samplesVisitors: true, sample, matching: 183, unknownAttributes: [] }
const empty = { visitors: 0, from: null, to: null }

it.each<[string, Partial<Reach>, string]>([
  ['a share with the size of the sample', {}, '183 of 1,000 visitors: 18\u00a0%.'],
  ['one visitor', { sample: { ...sample, visitors: 1 }, matching: 1 }, '1 of 1 visitor: 100\u00a0%.'],
  ['no visitor yet', { sample: empty, matching: 0 }, 'No visitor was seen in the last 7 days.'],
  [
    'a project without a sample',
    { samplesVisitors: false, sample: empty, matching: 0 },
    'This project samples no visitors. An admin can switch the sample on in the settings.',
  ],
])('the first sentence answers: %s', (_what, part, sentence) => {
  expect(reachInWords({ ...reach, ...part })[0]).toBe(sentence)
})

it('says when the visitors were seen, and which attributes the sample does not know', () => {
  const [, seen, unknown, ...rest] = reachInWords({ ...reach, unknownAttributes: ['email', 'phone'] })
  expect(seen).toMatch(/^Seen from .*2026.* to .*2026.*\.$/)
  expect(unknown).toBe('The sample has no values of email and phone, so its visitors are judged as if they had none.')
  expect(rest).toEqual([])
})

it('finds each attribute of a condition once, in its order', () => {
  const country = { attribute: 'country', operator: 'equals', value: 'NL' } as const
  const plan = { attribute: 'plan', operator: 'exists' } as const
  const condition = {
    all: [{ segment: 's' }, { not: country }, { any: [plan, { all: [country] }] }, { audience: 'a' }],
  }
  expect(attributesIn(condition)).toEqual(['country', 'plan'])
  expect(attributesIn({ all: [] })).toEqual([])
})
