import { networkOf } from '../../../../http/limits/address.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Room } from '../../../../platform/held.ts'
import { type Recurring, recurringToTheEnd } from '../../../../platform/recurring.ts'
import type { Sweep } from '../../../../platform/retention/index.ts'
import type { Signer } from '../../../../platform/sign.ts'
import { type Exposure, eventKinds, type NewEvent } from '../store.ts'
import { addSeen, type Seen } from './actions.ts'
import { deleteOldShares, forgetSamples } from './queries.ts'
import { addUnit, hashOf, merge, newSample, type Sample, type Seed } from './sample.ts'

const saveEveryMs = 30_000
const sweepEveryMs = 3_600_000
const samplesKeptForMs = 86_400_000
/** A unit in a sample. Measured with Node 24, then rounded up. */
const unitBytes = 96

/** Who sent events. */
export interface Sender {
  ip: string
  /** Whether a page did, and not a program. */
  byPage: boolean
  receivedAt: Date
}

export interface AddressNotes {
  /** Notes from where the units of these exposures came. */
  note(events: readonly NewEvent[], sender: Sender): void
  /** Writes what was noted. Once it fails, it is tried again. */
  save(): Promise<void>
}

/**
 * Notes the networks of visitors in memory, as hashes that need the secret key. They hide the network, and a sender
 * cannot choose visitors that are in the sample. A network has another hash for each rule and day.
 */
export function addressNotes({
  signer,
  room,
  add,
}: {
  signer: Signer
  room: Room
  add: (seen: readonly Seen[]) => Promise<void>
}): AddressNotes {
  let pending = new Map<string, Seen>()
  const seed = pairOf(signer.sign('units'))

  /** The sample to which exposures of a rule are added. */
  function sampleFor(event: Exposure, day: string, byPages: boolean): Sample {
    const { envId, ruleId } = event
    const key = `${ruleId} ${day} ${byPages}`
    const seen = pending.get(key) ?? { envId, ruleId, day, byPages, sample: newSample() }
    pending.set(key, seen)
    return seen.sample
  }

  return {
    note(events, { ip, byPage, receivedAt }) {
      const network = networkOf(ip)
      if (network === undefined) return
      const day = receivedAt.toISOString().slice(0, 10)
      const rules = new Map<string, { sample: Sample; hash: number; seed: Seed }>()
      for (const event of events) {
        if (event.type !== 'exposure' || event.kind !== eventKinds.counted) continue
        if (room.bytes + unitBytes > room.maxBytes) return
        const { ruleId, unit } = event
        let rule = rules.get(ruleId)
        if (!rule) {
          const [hash] = pairOf(signer.sign(['network', day, ruleId, network].join(' ')))
          rule = { sample: sampleFor(event, day, byPage), hash, seed: seedOfRule(ruleId, seed) }
          rules.set(ruleId, rule)
        }
        room.bytes += unitBytes * addUnit(rule.sample, hashOf(unit, rule.seed), rule.hash)
      }
    },
    async save() {
      if (pending.size === 0) return
      const saving = pending
      pending = new Map()
      room.bytes = 0
      try {
        await add([...saving.values()])
      } catch (error) {
        for (const [key, seen] of pending) {
          const sample = merge(newSample(saving.get(key)?.sample.units), seen.sample.units)
          saving.set(key, { ...seen, sample })
        }
        pending = saving
        room.bytes = unitBytes * [...pending.values()].reduce((sum, { sample }) => sum + sample.units.size, 0)
        throw error
      }
    },
  }
}

/** Two numbers of 32 bits. */
function pairOf(signature: string): Seed {
  const bytes = Buffer.from(signature, 'base64url')
  return [bytes.readInt32BE(0), bytes.readInt32BE(4)]
}

/** A visitor is another one for each rule. */
function seedOfRule(ruleId: string, [one, other]: Seed): Seed {
  const hash = hashOf(ruleId, [one, other])
  return [one ^ hash, other ^ (hash / 2 ** 21)]
}

export const addressesIn = (db: Db) => (seen: readonly Seen[]) => addSeen(db, seen)

/** Writes what was noted every 30 s, and at the end. */
export const keepAddresses = (notes: AddressNotes, onError: (error: unknown) => void): Recurring =>
  recurringToTheEnd(notes.save, saveEveryMs, onError)

export const addressSweeps = (keepForMs: number): Sweep[] => [
  { name: 'address_samples', everyMs: sweepEveryMs, keepForMs: samplesKeptForMs, sweep: forgetSamples },
  { name: 'rule_addresses', everyMs: sweepEveryMs, keepForMs, sweep: deleteOldShares },
]
