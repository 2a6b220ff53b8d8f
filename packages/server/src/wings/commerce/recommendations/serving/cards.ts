/** What was used last, up to a number and a size in all. */
export interface Kept<Value> {
  /** Undefined if it is not kept. One that is asked for is kept longer than others. */
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  keys(): IterableIterator<string>
}

/**
 * @param most how many values are kept
 * @param mostLetters how many characters all of their texts have together; one that has more is not kept
 */
export function lastUsed<Value>(most: number, mostLetters: number): Kept<Value> {
  const kept = new Map<string, { value: Value; letters: number }>()
  let sum = 0
  const remove = (key: string): void => {
    sum -= kept.get(key)?.letters ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, value) {
      remove(key)
      const letters = lettersIn(value)
      kept.set(key, { value, letters })
      sum += letters
      for (const oldest of kept.keys()) {
        if (kept.size <= most && sum <= mostLetters) break
        remove(oldest)
      }
    },
    delete: remove,
    keys: () => kept.keys(),
  }
}

/** A number or a name counts like a text of 8 characters. */
const lettersOfOther = 8

export function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return lettersOfOther
  let sum = 0
  for (const [name, each] of Object.entries(value))
    sum += lettersIn(each) + (Array.isArray(value) ? 0 : Math.max(name.length, lettersOfOther))
  return sum
}
