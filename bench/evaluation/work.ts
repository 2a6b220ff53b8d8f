import type { DataFile, Flag, Rule } from '@svc/core'

/** a: a boolean without rules · b: three conditions, then 50 % · c: four variations of 25 %. */
export type Kind = 'a' | 'b' | 'c'

/** A flag of the work, which each contender converts to its own form. */
export type Piece = { key: string; kind: Kind }

/** A visitor, which each contender converts to its own form. */
export type User = { targetingKey: string; country: string; version: string; email: string }

export const countries = ['NL', 'BE', 'LU', 'DE', 'FR', 'AT', 'CH', 'DK']
export const leastVersion = '2.5.0'
export const emailSuffix = '@example.com'
export const fourKeys = ['north', 'east', 'south', 'west']

// Of ten flags, four are of kind a, three of b and three of c.
const mixture: Kind[] = ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c', 'a']

/** The flags of one file. The first three are of kind a, b and c. */
export const piecesOf = (count: number): Piece[] =>
  Array.from({ length: count }, (_, i) => ({ key: `flag-${i}`, kind: mixture[i % mixture.length] as Kind }))

// All visitors meet the conditions of b, so that every evaluation checks all conditions and buckets.
const visitors = Array.from({ length: 1024 }, (_, i) => ({
  targetingKey: `user-${i * 7919}`,
  country: countries[i % countries.length],
  version: `${3 + (i % 5)}.${i % 11}.${i % 7}`,
  email: `someone.${i}${emailSuffix}`,
}))

/** Parsed from JSON like the context of a request, so that each string is stored in one piece. */
export const users: User[] = JSON.parse(JSON.stringify(visitors))

/** A visitor who fails only the last condition of b. */
export const stranger: User = { targetingKey: 'user-1', country: 'NL', version: '2.5.0', email: 'someone@example.org' }

/** The work as a data file. */
export function dataFileOf(pieces: Piece[]): DataFile {
  const flags: [string, Flag][] = pieces.map(({ key, kind }, i) => [
    key,
    { id: `f${i}`, enabled: true, ...shapes[kind](i) },
  ])
  return {
    schemaVersion: 1,
    revision: 1,
    environment: { id: 'e1', key: 'production' },
    publishedAt: null,
    audiences: {},
    exclusionGroups: {},
    flags: Object.fromEntries(flags),
    events: {},
  }
}

type Shape = Omit<Flag, 'id' | 'enabled'>

const switches = { on: 'true', off: 'false' }

const shapes: Record<Kind, (i: number) => Shape> = {
  a: () => ({ type: 'BOOLEAN', variations: switches, defaultVariation: 'on', rules: [] }),
  b: (i) => ({
    type: 'BOOLEAN',
    variations: switches,
    defaultVariation: 'off',
    rules: [
      {
        ...ruleOf(i),
        type: 'TARGETED_DELIVERY',
        variation: 'on',
        traffic: 5000,
        when: {
          all: [
            { attribute: 'country', operator: 'in', value: countries },
            { attribute: 'version', operator: 'semverGreaterThanOrEquals', value: leastVersion },
            { attribute: 'email', operator: 'endsWith', value: emailSuffix },
          ],
        },
      },
    ],
  }),
  c: (i) => ({
    type: 'STRING',
    variations: Object.fromEntries(fourKeys.map((key) => [key, key])),
    defaultVariation: 'north',
    rules: [
      {
        ...ruleOf(i),
        type: 'AB_TEST',
        traffic: 10_000,
        when: { all: [] },
        split: fourKeys.map((variation, nth) => ({ variation, end: 2500 * (nth + 1) })),
      },
    ],
  }),
}

function ruleOf(i: number): Pick<Rule, 'id' | 'bucketBy' | 'hashVersion' | 'salt'> {
  return { id: `r${i}`, bucketBy: ['targetingKey'], hashVersion: 1, salt: `r${i}` }
}
