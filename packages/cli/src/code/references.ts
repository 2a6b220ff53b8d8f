/** A place in the code. Line and column count from 1. */
export interface Place {
  path: string
  line: number
  column: number
}

/** The fields of a flag that references need. */
export interface ReferencedFlag {
  key: string
  status: string
  stale: boolean
}

/** What `svc references --json` prints. */
export interface References {
  flags: (ReferencedFlag & { references: Place[] })[]
  /** Literals in calls that take the key of a flag, for which there is no flag. */
  unknown: { key: string; references: Place[] }[]
}

/** How code names flags. */
export interface Conventions {
  /** Calls that take a key, such as `isOn($key)` or `isOn(user, $key)`. */
  calls: readonly string[]
  /** Names that the code uses in place of a key. */
  aliases: Record<string, string>
}

const longestShortKey = 3
const key = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}'
const quoted = new RegExp(`(['"\`])(${key})\\1`, 'g')

const types = ['Boolean', 'String', 'Number', 'Json', 'Details']
const openFeatureTypes = ['Boolean', 'String', 'Number', 'Object']
const pythonTypes = ['boolean', 'string', 'number', 'json', 'details']
const openFeaturePython = ['boolean', 'string', 'integer', 'float', 'object']

/** Calls of the SDKs, of OpenFeature and of what `svc generate` prints. */
const knownCalls = [
  ...types.flatMap((type) => [`get${type}`, `peek${type}`]),
  ...openFeatureTypes.flatMap((type) => [`get${type}Value`, `get${type}Details`]),
  ...openFeatureTypes.flatMap((type) => [`use${type}FlagValue`, `use${type}FlagDetails`]),
  ...pythonTypes.flatMap((type) => [`get_${type}`, `peek_${type}`]),
  ...openFeaturePython.flatMap((type) => [`get_${type}_value`, `get_${type}_details`]),
  ...['useFlag', 'useFlagDetails', 'useIs'],
  // These need a view with the name flags, because any map has a `get`.
  ...['get', 'is', 'details'].flatMap((method) => [`flags.${method}`, `flags.peek.${method}`]),
].map((name) => `${name}($key)`)

/** Makes a function that finds where the files of a project name its flags. Add each file, then read the result. */
export function referenceSearch(flags: readonly ReferencedFlag[], { calls, aliases }: Conventions) {
  const places = new Map<string, Place[]>(flags.map((flag) => [flag.key, []]))
  const unknown = new Map<string, Place[]>()
  const patterns = [...knownCalls, ...calls].map(callPattern)
  const names = Object.entries(aliases).map(([name, stands]) => ({ stands, pattern: namePattern(name) }))

  return {
    add(path: string, text: string): void {
      const found = new Map<number, string>()
      const missing = new Map<number, string>()
      for (const pattern of patterns)
        for (const match of text.matchAll(pattern)) {
          const [, , literal = ''] = match
          // Behind the opening quote.
          const at = match.indices![2]![0]
          if (places.has(literal)) found.set(at, literal)
          else missing.set(at, literal)
        }
      for (const { 2: literal = '', index } of text.matchAll(quoted))
        if (literal.length > longestShortKey && places.has(literal)) found.set(index + 1, literal)
      for (const { stands, pattern } of names)
        for (const { index } of text.matchAll(pattern))
          if (places.has(stands)) found.set(index, stands)
          else missing.set(index, stands)
      if (found.size + missing.size === 0) return
      const placeOf = placesIn(path, text)
      for (const [at, literal] of inOrder(found)) places.get(literal)!.push(placeOf(at))
      for (const [at, literal] of inOrder(missing)) {
        const those = unknown.get(literal) ?? []
        those.push(placeOf(at))
        unknown.set(literal, those)
      }
    },

    result: (): References => ({
      flags: flags.map(({ key: flagKey, status, stale }) => ({
        ...{ key: flagKey, status, stale },
        references: places.get(flagKey)!,
      })),
      unknown: [...unknown].map(([literal, references]) => ({ key: literal, references })),
    }),
  }
}

/** The findings that are shown to people, and on which a build can fail. */
export const findings = {
  archived: ({ flags }: References) => flags.filter((flag) => flag.status === 'ARCHIVED' && isReferenced(flag)),
  unknown: ({ unknown }: References) => unknown,
  stale: ({ flags }: References) =>
    flags.filter((flag) => flag.status !== 'ARCHIVED' && flag.stale && isReferenced(flag)),
  unreferenced: ({ flags }: References) => flags.filter((flag) => flag.status !== 'ARCHIVED' && !isReferenced(flag)),
}

export type Finding = keyof typeof findings

const isReferenced = ({ references }: { references: Place[] }): boolean => references.length > 0

/** Whether a call is of the form that {@link referenceSearch} reads. */
export const isCall = (call: string): boolean => /^[\w$.]+\((?:[^(),]*,)*\s*\$key\s*\)$/.test(call)

/** `isOn(user, $key)`: the name, an argument, then a literal. More arguments can follow. */
function callPattern(call: string): RegExp {
  const [, name = '', before = ''] = /^([\w$.]+)\((.*)\$key\s*\)$/.exec(call) ?? []
  const skipped = before
    .split(',')
    .slice(0, -1)
    .map(() => '[^(),]{0,200},')
  const typeArguments = '(?:<[^()]{0,200}>)?'
  return new RegExp(
    `(?<![\\w$])${escaped(name)}${typeArguments}\\(${skipped.join('')}\\s*(['"\`])([^'"\`\\n$]{1,128})\\1`,
    'dg',
  )
}

const namePattern = (name: string): RegExp => new RegExp(`(?<![\\w$.])${escaped(name)}(?![\\w$])`, 'g')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const inOrder = (found: Map<number, string>): [number, string][] => [...found].sort(([one], [other]) => one - other)

/** Finds line and column of a position. */
function placesIn(path: string, text: string): (at: number) => Place {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (at) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return { path, line: low + 1, column: at - starts[low]! + 1 }
  }
}
