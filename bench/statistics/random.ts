/** Draws of one simulation. The same seed gives the same draws on every machine. */
export interface Random {
  /** Between 0 and 1, never 0. */
  uniform(): number
  normal(): number
  /** A gamma variable of this shape, 1 or more, and scale 1. */
  gamma(shape: number): number
  /** How many of n units convert. */
  binomial(n: number, p: number): number
}

/** xoshiro128**, seeded by splitmix32. Source: Blackman, Vigna, "Scrambled Linear Pseudorandom Number Generators". */
export function randomOf(seed: number): Random {
  let [a, b, c, d] = [mix(seed), mix(seed + 1), mix(seed + 2), mix(seed + 3)]
  let spare: number | null = null

  function next(): number {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result >>> 0
  }

  const uniform = () => (next() * 2 ** 21 + (next() >>> 11) + 0.5) / 2 ** 53

  /** Marsaglia's polar method. */
  function normal(): number {
    if (spare !== null) {
      const kept = spare
      spare = null
      return kept
    }
    for (;;) {
      const [x, y] = [2 * uniform() - 1, 2 * uniform() - 1]
      const square = x * x + y * y
      if (square >= 1 || square === 0) continue
      const scale = Math.sqrt((-2 * Math.log(square)) / square)
      spare = y * scale
      return x * scale
    }
  }

  /** Exact for every size: the median of a Beta distribution splits n, until n is small. */
  function binomial(n: number, p: number): number {
    let [left, rate, found] = [n, p, 0]
    while (left > 64) {
      // The k-th smallest of `left` uniform numbers is Beta(k, left + 1 - k).
      const k = 1 + Math.floor(left / 2)
      const place = beta(k, left + 1 - k)
      if (place <= rate) {
        found += k
        left -= k
        rate = (rate - place) / (1 - place)
      } else {
        left = k - 1
        rate /= place
      }
    }
    for (let i = 0; i < left; i++) if (uniform() < rate) found++
    return found
  }

  function beta(x: number, y: number): number {
    const [first, second] = [gamma(x), gamma(y)]
    return first / (first + second)
  }

  /** Marsaglia and Tsang, for shapes from 1 on. */
  function gamma(shape: number): number {
    const scaled = shape - 1 / 3
    const slope = 1 / Math.sqrt(9 * scaled)
    for (;;) {
      const x = normal()
      const v = (1 + slope * x) ** 3
      if (v > 0 && Math.log(uniform()) < (x * x) / 2 + scaled - scaled * v + scaled * Math.log(v)) return scaled * v
    }
  }

  return { uniform, normal, gamma, binomial }
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

function mix(seed: number): number {
  let value = (seed * 0x9e3779b9) | 0
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97)
  return value ^ (value >>> 15)
}
