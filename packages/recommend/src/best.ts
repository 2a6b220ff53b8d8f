/** Numbered things with their scores, the best first. Of equal scores, the smaller number is first. */
export interface Ranked {
  numbers: Uint32Array
  scores: Float64Array
}

export interface Best {
  offer(number: number, score: number): void
  /** Returns what was kept, and begins anew. */
  take(): Ranked
}

/**
 * Keeps the best of many: a heap with the worst of them on top. Products are numbered in the order of their ids, so ties
 * go by id.
 */
export function best(most: number): Best {
  const numbers = new Uint32Array(most)
  const scores = new Float64Array(most)
  let size = 0

  const isWorse = (one: number, other: number): boolean =>
    scores[one]! < scores[other]! || (scores[one] === scores[other] && numbers[one]! > numbers[other]!)

  function swap(one: number, other: number): void {
    const number = numbers[one]!
    const score = scores[one]!
    numbers[one] = numbers[other]!
    scores[one] = scores[other]!
    numbers[other] = number
    scores[other] = score
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isWorse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }

  function sink(end: number): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      let worst = at
      if (left < end && isWorse(left, worst)) worst = left
      if (left + 1 < end && isWorse(left + 1, worst)) worst = left + 1
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  return {
    offer(number, score) {
      if (size < most) {
        numbers[size] = number
        scores[size] = score
        size += 1
        rise(size - 1)
      } else if (size > 0 && (score > scores[0]! || (score === scores[0] && number < numbers[0]!))) {
        numbers[0] = number
        scores[0] = score
        sink(size)
      }
    },
    take() {
      for (let end = size - 1; end > 0; end -= 1) {
        swap(0, end)
        sink(end)
      }
      const ranked = { numbers: numbers.slice(0, size), scores: scores.slice(0, size) }
      size = 0
      return ranked
    },
  }
}

/** All of them, the best first. */
export function rankedBy(numbers: Iterable<number>, scoreOf: (number: number) => number, most: number): Ranked {
  const kept = best(most)
  for (const number of numbers) kept.offer(number, scoreOf(number))
  return kept.take()
}
