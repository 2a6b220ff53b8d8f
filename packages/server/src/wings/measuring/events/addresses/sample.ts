/**
 * Some of the units of a day, each with the network from which it came first: those whose hashes are the smallest. So a
 * sample has a fixed size, is spread evenly over all units, and two of them can be merged.
 */
export interface Sample {
  /** Networks by the hashes of units. */
  units: Map<number, number>
  /** Units with larger hashes are not in the sample. */
  below: number
}

/** Hashes are smaller: numbers up to it are exact. */
export const hashEnd = 2 ** 53
/** The share of a network of 20 % is known to about 2 %, and the number of units to about 5 %. */
export const sampleSize = 500
/** A sample is cut only when it has twice as many, because that sorts it. */
const mostInSample = 2 * sampleSize

export function newSample(units: Iterable<readonly [number, number]> = []): Sample {
  return merge({ units: new Map(), below: hashEnd }, units)
}

/** Adds a unit. Returns by how many the sample has grown, which can be less than nothing. */
export function addUnit(sample: Sample, unit: number, network: number): number {
  const { units } = sample
  if (unit >= sample.below || units.has(unit)) return 0
  const before = units.size
  units.set(unit, network)
  if (units.size > mostInSample) cut(sample)
  return units.size - before
}

/** Adds the units of another sample. What is known of a unit stays. */
export function merge(sample: Sample, others: Iterable<readonly [number, number]>): Sample {
  for (const [unit, network] of others) if (!sample.units.has(unit)) sample.units.set(unit, network)
  cut(sample)
  return sample
}

function cut(sample: Sample): void {
  if (sample.units.size <= sampleSize) return
  const sorted = [...sample.units.keys()].sort((one, other) => one - other)
  for (const unit of sorted.slice(sampleSize)) sample.units.delete(unit)
  sample.below = sorted[sampleSize]!
}

/** About how many units the day has, and the share of the network that brings the most. */
export function sharesIn({ units }: Sample): { units: number; largest: number } {
  if (units.size === 0) return { units: 0, largest: 0 }
  const counts = new Map<number, number>()
  for (const network of units.values()) counts.set(network, (counts.get(network) ?? 0) + 1)
  const largest = Math.max(...counts.values()) / units.size
  if (units.size < sampleSize) return { units: units.size, largest }
  // The more units there are, the smaller are the smallest hashes.
  return { units: Math.round((units.size - 1) / (Math.max(...units.keys()) / hashEnd)), largest }
}

/** What makes hashes another function. Without it, a sender cannot choose units that are in a sample. */
export type Seed = readonly [number, number]

/** A number below `hashEnd`. It runs for every exposure, so it is not a cryptographic hash, which takes 20 times as long. */
export function hashOf(text: string, [one, other]: Seed): number {
  let low = one
  let high = other
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    low = Math.imul(low ^ code, 0x9e3779b1)
    high = Math.imul(high ^ code, 0x5f356495)
  }
  low = mixed(low) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  high = mixed(high) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  return (high >>> highShift) * 2 ** 32 + (low >>> 0)
}

/** 21 of 32 bits stay. */
const highShift = 11

const mixed = (hash: number): number => Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
