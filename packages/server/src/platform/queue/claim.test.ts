import { expect, it } from 'vitest'
import { type Claim, claimInto } from './claim.ts'
import { lanes } from './lanes.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const leaseUntil = new Date('2026-11-20T10:00:30.000Z')

interface Row {
  lane: string
  leaseUntil: Date
}

/** Returns the demand of a claim that brings this number of rows of lane `a`. */
function claimed(count: number) {
  const held = lanes<Row>(({ lane }) => lane)
  const claims: Claim[] = []
  const take = async (claim: Claim) => {
    claims.push(claim)
    return { jobs: Array.from({ length: count }, () => ({ lane: 'a', leaseUntil: claim.leaseUntil })), share: count }
  }
  return { held, claims, claim: () => claimInto(held, take, now, 10_000) }
}

it('a claim asks for as many rows as the lanes have room for, under a lease', async () => {
  const { held, claims, claim } = claimed(3)
  expect(await claim()).toBe(true)
  expect(claims).toEqual([{ total: 512, perLane: 8, exceptions: new Map(), after: null, now, leaseUntil }])
  expect(held.next()).toEqual({ lane: 'a', leaseUntil })
})

it('passes what the lanes hold to a later claim', async () => {
  const { claims, claim } = claimed(3)
  await claim()
  await claim()
  expect(claims[1]).toMatchObject({ total: 509, exceptions: new Map([['a', 5]]), after: 'a' })
})

it('a claim asks for rows only when there is room', async () => {
  const { claims, claim } = claimed(512)
  expect([await claim(), await claim()]).toEqual([true, false])
  expect(claims).toHaveLength(1)
})
