import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../../testing/vendors/ticket-messages.ts'
import { type TicketKindName, type Vendor, vendorConfigs, vendors } from '../../../../testing/vendors/ticket-vendors.ts'
import { kinds as allKinds } from '../destinations/index.ts'
import type { Ref, Telling, TicketManner } from './ticket.ts'
import type { Message, TicketKind } from './ticket-kind.ts'
import { runTickets, type TicketEnd } from './ticket-run.ts'

const { PAGERDUTY, GITHUB, JIRA, LINEAR } = allKinds
const kinds = { PAGERDUTY, GITHUB, JIRA, LINEAR } as const
const names = Object.keys(kinds) as TicketKindName[]
const minuteMs = 60_000
const key = 'flag.srm_failed/e1/12'

class Crash extends Error {}

/** A destination with its vendor. The process can crash before and after everything that the outside notices. */
class World {
  readonly refs = new Map<string, Ref>()
  readonly vendor: Vendor
  /** How many moments pass until the process crashes. */
  crashIn = Number.POSITIVE_INFINITY
  moments = 0
  requests = 0
  now = Date.parse('2026-11-27T12:00:00.000Z')
  /** Answers in place of the vendor, if it returns anything. `arrives`: whether the vendor has got it all the same. */
  answerOf: () => { status: number; headers?: Record<string, string>; arrives?: boolean } | undefined = () => undefined
  hasTime = () => true

  readonly name: TicketKindName
  readonly manner: TicketManner

  constructor(name: TicketKindName, searchLagMs = 0) {
    this.name = name
    this.manner = (kinds[name] as TicketKind<unknown>).mannerOf(vendorConfigs[name])
    this.vendor = vendors[name]({ now: () => new Date(this.now), searchLagMs })
  }

  /** One attempt at a delivery, with what a worker stores of it. */
  async attempt(telling: Telling, message: Message = messageOf()): Promise<TicketEnd<unknown>> {
    const end = await runTickets([{ telling, ref: this.refs.get(telling.key) ?? null }], {
      manner: this.manner,
      send: async (step) => {
        const kind = kinds[this.name] as TicketKind<unknown>
        const config = vendorConfigs[this.name]
        const { method, url, headers, body } = kind.requestOf({ config, message, eventType: 'flag.srm_failed', step })
        this.#moment()
        this.requests += 1
        const instead = this.answerOf()
        const answer =
          instead && !instead.arrives
            ? { headers: {}, body: '', ...instead }
            : this.vendor.answer({ method, url: new URL(url), headers, body: body ?? '' })
        this.#moment()
        const seen = { ...answer, ...instead }
        return { answer: seen, verdict: kind.judge(seen, new Date(this.now), step, config) }
      },
      save: async (saved, ref) => {
        this.#moment()
        this.#store([[saved, ref]])
        this.#moment()
      },
      hasTime: () => this.hasTime(),
      now: () => new Date(this.now),
    })
    this.#moment()
    this.#store(end.refs)
    return end
  }

  /** Attempts a delivery again after each crash, until it is done. Returns how many attempts that took. */
  async deliver(telling: Telling, message?: Message): Promise<number> {
    for (let attempts = 1; attempts < 20; attempts += 1) {
      try {
        const end = await this.attempt(telling, message)
        if (end.end === 'NOTHING' || (end.end === 'JUDGED' && end.verdict.verdict === 'DELIVERED')) return attempts
        if (end.end === 'LATER') this.now = Math.max(this.now, end.at.getTime())
      } catch (error) {
        if (!(error instanceof Crash)) throw error
      }
      this.now += 1_000
    }
    throw new Error('it is never told')
  }

  #moment(): void {
    this.moments += 1
    this.crashIn -= 1
    if (this.crashIn === 0) throw new Crash()
  }

  #store(refs: Iterable<[string, Ref | null]>): void {
    for (const [saved, ref] of refs) {
      if (ref) this.refs.set(saved, ref)
      else this.refs.delete(saved)
    }
  }
}

const telling = (world: World, what: Telling['what'], deliveryId: string): Telling => ({
  key,
  deliveryId,
  at: new Date(world.now),
  what,
})

/** How long the searches of a vendor are behind: less than the time that its kind waits for them. */
const lags: Record<TicketKindName, number> = { PAGERDUTY: 0, GITHUB: 30_000, JIRA: 240_000, LINEAR: 0 }

/** Counts the moments of an undisturbed delivery, and then crashes in each of them. */
async function crashEverywhere(name: TicketKindName, prepare: (world: World) => Promise<Telling>) {
  const undisturbed = new World(name, lags[name])
  const first = await prepare(undisturbed)
  undisturbed.moments = 0
  await undisturbed.deliver(first)
  const worlds: World[] = []
  for (let crashIn = 1; crashIn <= undisturbed.moments; crashIn += 1) {
    const world = new World(name, lags[name])
    const told = await prepare(world)
    world.crashIn = crashIn
    expect(await world.deliver(told)).toBeGreaterThan(1)
    worlds.push(world)
  }
  return worlds
}

describe.each(names)('%s', (name) => {
  it('makes one ticket, whenever the process crashes', async () => {
    const worlds = await crashEverywhere(name, async (world) => telling(world, 'OPENS', 'd1'))
    expect(worlds.length).toBeGreaterThanOrEqual(4)
    for (const { vendor, refs } of worlds) {
      expect(vendor.tickets).toMatchObject([{ isOpen: true }])
      expect([...refs.values()]).toMatchObject([{ state: 'OPEN', toldBy: 'd1' }])
    }
  })

  it('makes one ticket, whenever the process crashes twice', async () => {
    const moments = new World(name, lags[name])
    await moments.deliver(telling(moments, 'OPENS', 'd1'))
    for (let first = 1; first <= moments.moments; first += 1)
      for (let second = 1; second <= 8; second += 1) {
        const world = new World(name, lags[name])
        const told = telling(world, 'OPENS', 'd1')
        world.crashIn = first
        await expect(world.attempt(told)).rejects.toThrow(Crash)
        world.crashIn = second
        await world.deliver(told)
        expect(world.vendor.tickets).toHaveLength(1)
      }
  })

  it('makes one ticket when another delivery comes after the crash', async () => {
    const moments = new World(name, lags[name])
    await moments.deliver(telling(moments, 'OPENS', 'd1'))
    for (let crashIn = 1; crashIn <= moments.moments; crashIn += 1) {
      const world = new World(name, lags[name])
      world.crashIn = crashIn
      const first = telling(world, 'OPENS', 'd1')
      await expect(world.attempt(first)).rejects.toThrow(Crash)
      await world.deliver(telling(world, 'OPENS', 'd2'))
      await world.deliver(first)
      expect(world.vendor.tickets).toHaveLength(1)
    }
  })

  it('closes it, whenever the process crashes', async () => {
    const worlds = await crashEverywhere(name, async (world) => {
      await world.deliver(telling(world, 'OPENS', 'd1'))
      world.now += minuteMs
      return telling(world, 'ENDS', 'd2')
    })
    expect(worlds.length).toBeGreaterThanOrEqual(3)
    for (const { vendor, refs } of worlds) {
      expect(vendor.tickets).toMatchObject([{ isOpen: false }])
      expect([...refs.values()]).toMatchObject([{ state: 'RESOLVED' }])
    }
  })

  it('does not open it again for a delivery that was late', async () => {
    const world = new World(name, lags[name])
    const late = telling(world, 'OPENS', 'd1')
    world.answerOf = () => ({ status: 503 })
    await world.attempt(late)
    world.answerOf = () => undefined
    world.now += minuteMs
    await world.deliver(telling(world, 'ENDS', 'd2'))
    world.now += minuteMs
    await world.deliver(late)
    expect(world.vendor.tickets.filter(({ isOpen }) => isOpen)).toEqual([])
  })

  it('opens a new one after it was resolved', async () => {
    const world = new World(name)
    await world.deliver(telling(world, 'OPENS', 'd1'))
    world.now += minuteMs
    await world.deliver(telling(world, 'ENDS', 'd2'))
    world.now += minuteMs
    await world.deliver(telling(world, 'OPENS', 'd3'))
    expect(world.vendor.tickets).toMatchObject([{ isOpen: false }, { isOpen: true }])
  })

  it('remembers nothing of a request that a limit refused', async () => {
    const world = new World(name)
    world.answerOf = () => ({ status: 429, headers: { 'retry-after': '5' } })
    const told = telling(world, 'OPENS', 'd1')
    const end = await world.attempt(told)
    expect(end).toMatchObject({ end: 'JUDGED', verdict: { verdict: 'HOLD', holdMs: 5_000 } })
    expect(world.refs.size).toBe(0)
    world.answerOf = () => undefined
    world.requests = 0
    await world.deliver(told)
    expect(world.requests).toBe(1)
  })

  it('makes one ticket when the answer is lost', async () => {
    const world = new World(name, lags[name])
    world.answerOf = () => ({ status: 504, arrives: true })
    const told = telling(world, 'OPENS', 'd1')
    expect(await world.attempt(told)).toMatchObject({ verdict: { verdict: 'RETRY' } })
    world.answerOf = () => undefined
    await world.deliver(told)
    expect(world.vendor.tickets).toHaveLength(1)
  })

  it('stops when the lease ends, and goes on with the next one', async () => {
    const world = new World(name)
    await world.deliver(telling(world, 'OPENS', 'd1'))
    const told = telling(world, 'ENDS', 'd2')
    let left = 1
    world.hasTime = () => left-- > 0
    const end = await world.attempt(told)
    expect(end.end).toBe(name === 'PAGERDUTY' ? 'JUDGED' : 'LATER')
    world.hasTime = () => true
    await world.deliver(told)
    expect(world.vendor.tickets).toMatchObject([
      { isOpen: false, comments: name === 'PAGERDUTY' ? [] : [expect.any(String)] },
    ])
  })

  it('ends only tickets that exist', async () => {
    const world = new World(name)
    expect(await world.attempt(telling(world, 'ENDS', 'd1'))).toMatchObject({ end: 'NOTHING' })
    expect(world.requests).toBe(0)
  })
})

describe.each(['GITHUB', 'JIRA', 'LINEAR'] as const)('%s', (name) => {
  it('gets one comment an hour', async () => {
    const world = new World(name)
    await world.deliver(telling(world, 'OPENS', 'd0'))
    for (let count = 1; count <= 12; count += 1) {
      world.now += 15 * minuteMs
      await world.deliver(telling(world, 'OPENS', `d${count}`))
    }
    expect(world.vendor.tickets).toMatchObject([{ comments: Array.from({ length: 3 }, () => expect.any(String)) }])
  })

  it('gets a new ticket in place of a deleted one', async () => {
    const world = new World(name)
    await world.deliver(telling(world, 'OPENS', 'd1'))
    world.refs.set(key, {
      state: 'OPEN',
      ticket: { id: name === 'JIRA' ? 'OPS-77' : name === 'GITHUB' ? '77' : crypto.randomUUID(), url: null },
      toldBy: 'd1',
      toldAt: new Date(world.now),
    })
    world.now += 61 * minuteMs
    await world.deliver(telling(world, 'OPENS', 'd2'))
    expect(world.vendor.tickets).toHaveLength(2)
  })

  it('waits for a search instead of making a second ticket', async () => {
    const world = new World(name, lags[name])
    world.crashIn = 4
    const told = telling(world, 'OPENS', 'd1')
    await expect(world.attempt(told)).rejects.toThrow(Crash)
    expect(world.vendor.tickets).toHaveLength(1)
    const end = await world.attempt(told)
    if (name === 'LINEAR') expect(end).toMatchObject({ verdict: { verdict: 'DELIVERED' } })
    else
      expect(end).toMatchObject({
        end: 'LATER',
        at: new Date(Date.parse('2026-11-27T12:00:00Z') + world.manner.searchLagMs),
      })
    expect(world.vendor.tickets).toHaveLength(1)
  })
})

describe('a run', () => {
  it('counts as a failed attempt when a vendor answers in circles, so that it ends', async () => {
    const world = new World('LINEAR')
    world.refs.set(key, { state: 'MAKING', mark: 'd1', since: new Date(world.now) })
    let turn = 0
    world.vendor.answer = () => {
      turn += 1
      const message = turn % 2 === 1 ? 'Entity not found: Issue' : 'conflict on insert of Issue'
      return { status: 200, headers: {}, body: JSON.stringify({ errors: [{ message }] }) }
    }
    expect(await world.attempt(telling(world, 'OPENS', 'd1'))).toMatchObject({
      end: 'JUDGED',
      verdict: { verdict: 'RETRY', error: expect.stringMatching(/contradict/) },
    })
    expect(world.requests).toBe(6)
  })
})
