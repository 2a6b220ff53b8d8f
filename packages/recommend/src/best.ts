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

  /** Moves parents that are better than something new down, and puts it into the gap. */
  function rise(number: number, score: number): void {
    let at = size - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const isWorse = score < scores[parent]! || (score === scores[parent] && number > numbers[parent]!)
      if (!isWorse) break
      numbers[at] = numbers[parent]!
      scores[at] = scores[parent]!
      at = parent
    }
    numbers[at] = number
    scores[at] = score
  }

  /** The gap is on top. Moves children that are worse than what goes into it up. */
  function sink(number: number, score: number, end: number): void {
    let at = 0
    for (let child = 1; child < end; child = 2 * at + 1) {
      const right = child + 1
      if (right < end) {
        const one = scores[child]!
        const other = scores[right]!
        if (other < one || (other === one && numbers[right]! > numbers[child]!)) child = right
      }
      const isWorse = scores[child]! < score || (scores[child] === score && numbers[child]! > number)
      if (!isWorse) break
      numbers[at] = numbers[child]!
      scores[at] = scores[child]!
      at = child
    }
    numbers[at] = number
    scores[at] = score
  }

  return {
    offer(number, score) {
      if (size < most) {
        size += 1
        rise(number, score)
      } else if (size > 0 && (score > scores[0]! || (score === scores[0] && number < numbers[0]!)))
        sink(number, score, size)
    },
    take() {
      for (let end = size - 1; end > 0; end -= 1) {
        const number = numbers[end]!
        const score = scores[end]!
        numbers[end] = numbers[0]!
        scores[end] = scores[0]!
        sink(number, score, end)
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
