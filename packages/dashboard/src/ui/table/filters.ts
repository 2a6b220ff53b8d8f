/** Something that a list can be filtered by. */
export interface Filter {
  key: string
  /** "Status", "Tag". */
  label: string
  /** `count`: how many things of the list an option leaves. */
  options: readonly { value: string; label: string; count?: number }[]
  /** The page finds the options of what is typed here. Default: options are found among those that are given. */
  search?: {
    text: string
    onText: (text: string) => void
    /** Called when the options are shown. Before, nobody needs them. */
    onOpen: () => void
  }
  /** A sentence below the options: "Type to find more brands." */
  note?: string | undefined
  /** At most one option can be chosen. */
  isSingle?: boolean
}

/** The chosen values by filter. A filter without values is left out. */
export type Chosen = Readonly<Record<string, readonly string[]>>

/** The choice with this option switched on or off. */
export function toggled(chosen: Chosen, { key, isSingle }: Filter, value: string): Chosen {
  const before = chosen[key] ?? []
  const isOn = before.includes(value)
  return withValues(
    chosen,
    key,
    isOn ? before.filter((each) => each !== value) : isSingle ? [value] : [...before, value],
  )
}

export const without = (chosen: Chosen, key: string): Chosen => withValues(chosen, key, [])

/** The choice without the filter whose chip is last. */
export function withoutLast(chosen: Chosen, filters: readonly Filter[]): Chosen {
  const last = filters.filter(({ key }) => chosen[key]?.length).at(-1)
  return last ? without(chosen, last.key) : chosen
}

/** The chips in the order of the filters: "Status: Running, Paused". A value without an option is shown as it is. */
export function chips(chosen: Chosen, filters: readonly Filter[]): { filter: Filter; words: string }[] {
  return filters
    .filter(({ key }) => chosen[key]?.length)
    .map((filter) => {
      const labels = chosen[filter.key]!.map(
        (value) => filter.options.find((each) => each.value === value)?.label ?? value,
      )
      return { filter, words: labels.join(', ') }
    })
}

/** Options whose label contains every word of the text, without regard to case. */
export function matching<Option extends { label: string }>(options: readonly Option[], text: string): Option[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return options.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

function withValues(chosen: Chosen, key: string, values: readonly string[]): Chosen {
  const { [key]: _before, ...others } = chosen
  return values.length > 0 ? { ...others, [key]: values } : others
}
