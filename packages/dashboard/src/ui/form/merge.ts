/** The fields of a form, as it was read, as it was typed, or as another person has saved it meanwhile. */
export type Fields = Readonly<Record<string, unknown>>

export interface FieldConflict {
  field: string
  base: unknown
  mine: unknown
  theirs: unknown
}

export interface Merged<Values extends Fields> {
  /** To be sent: my values, and theirs where I changed nothing. Fields in conflict have mine. */
  values: Values
  /** Fields that both changed, to different values. One of the two must be chosen. */
  conflicts: FieldConflict[]
  /** Fields that only they changed. */
  theirs: string[]
  /** Fields that either changed. */
  changed: string[]
}

/**
 * Merges two edits of the same thing by field. Lists merge by entry: what either added stays, what either removed goes.
 * Nothing that was typed is dropped: it is in the values, or in a conflict.
 */
export function merge<Values extends Fields>(base: Values, mine: Values, theirs: Values): Merged<Values> {
  const values: Record<string, unknown> = {}
  const conflicts: FieldConflict[] = []
  const onlyTheirs: string[] = []
  const changed: string[] = []
  for (const field of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [was, my, their] = [base[field], mine[field], theirs[field]]
    values[field] = my
    if (!isSame(my, was) || !isSame(their, was)) changed.push(field)
    if (isSame(my, their) || isSame(their, was)) continue
    if (isSame(my, was)) {
      values[field] = their
      onlyTheirs.push(field)
      continue
    }
    const list = mergedList(was, my, their)
    if (list) values[field] = list
    else conflicts.push({ field, base: was, mine: my, theirs: their })
  }
  return { values: values as Values, conflicts, theirs: onlyTheirs, changed }
}

/** The values with the chosen side of each conflict. */
export function resolved<Values extends Fields>(
  { values, conflicts }: Merged<Values>,
  choices: Readonly<Record<string, 'mine' | 'theirs'>>,
): Values {
  const chosen = conflicts.map(({ field, mine, theirs }) => [field, choices[field] === 'theirs' ? theirs : mine])
  return { ...values, ...Object.fromEntries(chosen) }
}

const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)

/** Equal for values that differ only in the order of their fields. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`)
    .join(',')}}`
}

/**
 * The list with the entries that either side added and without those that either side removed, in my order. Undefined
 * if that would lose something: both changed the same entry, or the order of what both have differs.
 */
function mergedList(base: unknown, mine: unknown, theirs: unknown): unknown[] | undefined {
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return undefined
  const [was, my, their] = [base, mine, theirs].map(entriesOf)
  if (!was || !my || !their) return undefined
  const kept = (entries: Entries) => [...entries.keys()].filter((key) => was.has(key) && my.has(key) && their.has(key))
  const [before, inMine, inTheirs] = [kept(was), kept(my), kept(their)].map((keys) => keys.join('\n'))
  if (before !== inMine && before !== inTheirs && inMine !== inTheirs) return undefined
  const result = new Map<string, unknown>()
  const isTheirOrder = before === inMine && before !== inTheirs
  for (const key of isTheirOrder ? orderOf(their, my) : orderOf(my, their)) {
    const [old, first, second] = [was.get(key), my.get(key), their.get(key)]
    if (old === undefined) {
      if (first !== undefined && second !== undefined && !isSame(first, second)) return undefined
      result.set(key, first ?? second)
    } else if (first === undefined || second === undefined) {
      // Removed by one and edited by the other: a person must decide.
      if (!isSame(first ?? second ?? old, old)) return undefined
    } else {
      if (!isSame(first, old) && !isSame(second, old) && !isSame(first, second)) return undefined
      result.set(key, isSame(first, old) ? second : first)
    }
  }
  return [...result.values()]
}

type Entries = Map<string, unknown>

/** Entries by id, key or value. Undefined if two are equal, because only their order would distinguish them. */
function entriesOf(list: unknown[]): Entries | undefined {
  const entries = new Map(list.map((entry) => [identity(entry), entry]))
  return entries.size === list.length ? entries : undefined
}

function identity(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return textOf(entry)
  const { id, key, variationKey } = entry as Record<string, unknown>
  return textOf(id ?? key ?? variationKey ?? entry)
}

/** The keys of the first in their order, then those that only the second has. */
const orderOf = (first: Entries, second: Entries): string[] => [...new Set([...first.keys(), ...second.keys()])]
