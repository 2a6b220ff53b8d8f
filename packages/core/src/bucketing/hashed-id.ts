/** Length of a hashed id in hexadecimal digits (48 bits). */
export const hashedIdDigits = 12

/**
 * The hash that replaces a visitor's id in a data file: the first 12 hexadecimal digits of `SHA-256(salt + id)`,
 * with salt and id as UTF-8.
 *
 * @example hashId('s.', 'u-17') // '2fe248cd4e0b'
 */
export function hashId(salt: string, id: string): string {
  const [first, second] = sha256(new TextEncoder().encode(salt + id))
  return (hexadecimal(first as number) + hexadecimal(second as number)).slice(0, hashedIdDigits)
}

/** Whether a string of sorted, concatenated hashes contains this one. */
export function holdsHash(hashes: string, wanted: string): boolean {
  let low = 0
  let high = hashes.length / hashedIdDigits
  while (low < high) {
    const middle = (low + high) >> 1
    const found = hashes.slice(middle * hashedIdDigits, (middle + 1) * hashedIdDigits)
    if (found === wanted) return true
    if (found < wanted) low = middle + 1
    else high = middle
  }
  return false
}

const hexadecimal = (word: number): string => (word >>> 0).toString(16).padStart(8, '0')

const rounds = 64
const stateWords = 8

let constants: Int32Array | undefined
let start: Int32Array | undefined

// Our own SHA-256, because evaluation is synchronous and Web Crypto is not.
function sha256(bytes: Uint8Array): Int32Array {
  constants ??= fractionsOfRoots(3, rounds)
  start ??= fractionsOfRoots(2, stateWords)
  const words = new Int32Array((((bytes.length + 8) >> 6) + 1) << 4)
  const put = (byte: number, at: number) => {
    words[at >> 2] = (words[at >> 2] as number) | (byte << (24 - (at % 4) * 8))
  }
  bytes.forEach(put)
  put(0x80, bytes.length)
  words[words.length - 1] = bytes.length * 8
  const state = start.slice()
  const w = new Int32Array(rounds)
  for (let block = 0; block < words.length; block += 16) {
    w.set(words.subarray(block, block + 16))
    for (let i = 16; i < rounds; i++)
      w[i] = at(w, i - 16) + small(at(w, i - 15), 7, 18, 3) + at(w, i - 7) + small(at(w, i - 2), 17, 19, 10)
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < rounds; i++) {
      const added = h + large(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + at(constants, i) + at(w, i)
      h = g
      g = f
      f = e
      e = (d + added) | 0
      d = c
      c = b
      b = a
      a = (added + large(b, 2, 13, 22) + ((b & c) ^ (b & d) ^ (c & d))) | 0
    }
    state.set([a, b, c, d, e, f, g, h].map((word, i) => word + at(state, i)))
  }
  return state
}

const at = (list: Int32Array, index: number): number => list[index] as number
const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const large = (word: number, a: number, b: number, c: number): number => turn(word, a) ^ turn(word, b) ^ turn(word, c)
const small = (word: number, a: number, b: number, c: number): number => turn(word, a) ^ turn(word, b) ^ (word >>> c)

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function fractionsOfRoots(degree: number, count: number): Int32Array {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number++) if (primes.every((prime) => number % prime)) primes.push(number)
  return Int32Array.from(primes, (prime) => prime ** (1 / degree) * 2 ** 32)
}
