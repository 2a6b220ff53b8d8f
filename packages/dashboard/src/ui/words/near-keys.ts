const shownMax = 3

/**
 * The things whose keys look most like this one, for an address with a typing mistake. A number or an id is like no other:
 * what it named is gone.
 */
export function nearKeys<Named extends { key: string }>(wanted: string, all: readonly Named[]): Named[] {
  if (wanted === '' || isNumberOrId.test(wanted)) return []
  const far = Math.max(2, Math.floor(wanted.length / 3))
  return all
    .map((named) => ({ named, edits: named.key.includes(wanted) ? 1 : edits(wanted, named.key, far) }))
    .filter((each) => each.edits <= far)
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, shownMax)
    .map(({ named }) => named)
}

const isNumberOrId = /^\d+$|^[\da-f]{8}-[\da-f-]{27}$/i

/** How many letters must be added, removed or replaced; more than `far` is not counted exactly. */
function edits(from: string, to: string, far: number): number {
  if (Math.abs(from.length - to.length) > far) return far + 1
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at]
    for (let place = 1; place <= to.length; place += 1) {
      const replaced = row[place - 1]! + (from[at - 1] === to[place - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[place]! + 1, next[place - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
