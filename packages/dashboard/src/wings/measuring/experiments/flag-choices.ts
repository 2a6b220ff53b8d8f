interface NamedFlag {
  key: string
  name: string
}

export type ChoiceOfFlag = ({ is: 'flag' } & NamedFlag) | { is: 'new'; name: string }

const most = 8

/** The flags that have the typed words in their name or key, and the one that could be created. */
export function choicesOf(flags: readonly NamedFlag[], typed: string, mayCreate: boolean): ChoiceOfFlag[] {
  const name = typed.trim()
  const words = name.toLowerCase().split(/\s+/).filter(Boolean)
  const found = flags
    .filter((flag) => {
      const text = `${flag.name} ${flag.key}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((one, two) => Number(begins(two, name)) - Number(begins(one, name)))
    .slice(0, most)
  const isKnown = flags.some((flag) => [flag.name, flag.key].some((each) => each.toLowerCase() === name.toLowerCase()))
  return [
    ...found.map(({ key, name }) => ({ is: 'flag' as const, key, name })),
    ...(mayCreate && name !== '' && !isKnown ? [{ is: 'new' as const, name }] : []),
  ]
}

const begins = ({ key, name }: NamedFlag, typed: string): boolean =>
  [key, name].some((each) => each.toLowerCase().startsWith(typed.toLowerCase()))

/** What the field shows of a chosen flag. A flag that an address names can come before the list of flags. */
export function nameOfChoice(flags: readonly NamedFlag[], flagKey: string): string {
  const flag = flags.find(({ key }) => key === flagKey)
  return flag ? `${flag.name} (${flag.key})` : flagKey
}

/** Whether the field still shows the chosen flag, so that all flags are offered. */
export const isChosen = (typed: string, flags: readonly NamedFlag[], flagKey: string): boolean =>
  flagKey !== '' && typed === nameOfChoice(flags, flagKey)
