import { createHash } from 'node:crypto'

const firstSlots = 1024

/**
 * Remembers texts by 64 bits of their SHA-256, in one typed array: 16 to 32 bytes for each of them. Of a million, two are
 * taken for the same once in 37 million times.
 */
export class SeenTexts {
  #slots = new Uint32Array(firstSlots * 2)
  #count = 0

  get size(): number {
    return this.#count
  }

  /** Returns false if the text was there. */
  add(text: string): boolean {
    const [high, low] = hashOf(text)
    const at = this.#find(high, low)
    if (this.#slots[at] !== 0) return false
    this.#put(at, high, low)
    this.#count += 1
    if (this.#count * 4 > this.#slots.length) this.#grow()
    return true
  }

  has(text: string): boolean {
    return this.#slots[this.#find(...hashOf(text))] !== 0
  }

  /** Where the hash is, or where it belongs. */
  #find(high: number, low: number): number {
    const mask = this.#slots.length - 1
    for (let at = (low * 2) & mask; ; at = (at + 2) & mask)
      if (this.#slots[at] === 0 || (this.#slots[at] === high && this.#slots[at + 1] === low)) return at
  }

  #put(at: number, high: number, low: number): void {
    this.#slots[at] = high
    this.#slots[at + 1] = low
  }

  #grow(): void {
    const held = this.#slots
    this.#slots = new Uint32Array(held.length * 2)
    for (let at = 0; at < held.length; at += 2)
      if (held[at] !== 0) this.#put(this.#find(held[at]!, held[at + 1]!), held[at]!, held[at + 1]!)
  }
}

/** The first half is never 0, which marks an empty slot. */
function hashOf(text: string): [number, number] {
  const hash = createHash('sha256').update(text).digest()
  return [hash.readUInt32BE(0) || 1, hash.readUInt32BE(4)]
}
