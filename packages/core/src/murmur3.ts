const scratchBytes = 256
const scratch = new Uint8Array(scratchBytes)
let encoder: TextEncoder | undefined

/**
 * MurmurHash3 x86 32-bit of the UTF-8 bytes of a text; a lone surrogate counts as U+FFFD.
 * Source: Austin Appleby, SMHasher, MurmurHash3.cpp (public domain).
 *
 * @returns an unsigned 32-bit integer
 * @example murmur3('hello', 0) // 0x248bfa47
 */
export function murmur3(text: string, seed: number): number {
  const length = text.length
  if (length <= scratchBytes) {
    let i = 0
    for (; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) break
      scratch[i] = code
    }
    if (i === length) return murmur3Bytes(scratch, seed, length)
  }
  encoder ??= new TextEncoder()
  return murmur3Bytes(encoder.encode(text), seed)
}

/** The same hash of bytes; `length` may be less than the array's, then the rest is not read. */
export function murmur3Bytes(bytes: Uint8Array, seed: number, length: number = bytes.length): number {
  const at = (i: number) => bytes[i] as number
  const tail = length & ~3
  let hash = seed | 0
  for (let i = 0; i < tail; i += 4) {
    hash ^= scramble(at(i) | (at(i + 1) << 8) | (at(i + 2) << 16) | (at(i + 3) << 24))
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
  }
  let block = 0
  for (let i = length - 1; i >= tail; i--) block = (block << 8) | at(i)
  hash ^= scramble(block) ^ length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
