import { counted } from '../../../ui/words/lists.ts'
import { isSame } from '../drafts/draft.ts'

/** A flag in a data file, as far as it is compared. */
export interface LiveFlag {
  enabled: boolean
  defaultVariation: string
  variations: Record<string, string>
  overrides?: Record<string, string> | undefined
  rules?: readonly object[] | undefined
}

export interface LiveDifference {
  key: string
  /** "Switch, Everyone else" */
  what: string
  /** What visitors get in each environment: "Running, 2 rules, otherwise off". */
  words: readonly [string, string]
}

type Flags = Readonly<Record<string, LiveFlag>>

/** Flags that visitors of two environments get in different ways. */
export function liveDifferences(left: Flags, right: Flags): LiveDifference[] {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted()
  return keys.flatMap((key) => {
    const [one, other] = [left[key], right[key]]
    const what = one && other ? differing(one, other) : ['Flag']
    return what.length === 0 ? [] : [{ key, what: what.join(', '), words: [wordsOf(one), wordsOf(other)] as const }]
  })
}

function differing(one: LiveFlag, other: LiveFlag): string[] {
  const parts: [string, (flag: LiveFlag) => unknown][] = [
    ['Switch', ({ enabled }) => enabled],
    ['Values', ({ variations }) => variations],
    // Visitors are named by a hash with a salt of the environment, so only their number can be compared.
    ['Individual visitors', ({ overrides = {} }) => Object.keys(overrides).length],
    ['Rules', ({ rules = [] }) => rules.map(comparable)],
    ['Everyone else', ({ defaultVariation }) => defaultVariation],
  ]
  return parts.filter(([, read]) => !isSame(read(one), read(other))).map(([name]) => name)
}

/** A rule without what differs in every environment. */
function comparable(rule: object): object {
  const { id: _id, salt: _salt, overrides, ...rest } = rule as Record<string, unknown>
  return { ...rest, overrides: Object.keys(overrides ?? {}).length }
}

function wordsOf(flag: LiveFlag | undefined): string {
  if (!flag) return 'Not there'
  const rules = flag.rules?.length ?? 0
  return `${flag.enabled ? 'Running' : 'Paused'}, ${rules === 0 ? 'no rules' : counted(rules, 'rule')}, otherwise ${flag.defaultVariation}`
}
