/**
 * What inputs find wrong with what is typed in them, by their names. Such a field keeps its last valid value, so whatever
 * sends the values asks here first.
 */
export const ownFaults = (within: HTMLElement | null): Record<string, string> =>
  Object.fromEntries(faulty(within).map((input) => [input.name || input.id, input.validationMessage]))

/** Moves the focus to the first of them. False if there is none. */
export function focusOwnFault(within: HTMLElement | null): boolean {
  const [first] = faulty(within)
  first?.focus()
  return first !== undefined
}

const faulty = (within: HTMLElement | null): HTMLInputElement[] =>
  [...(within?.querySelectorAll('input') ?? [])].filter(({ validity }) => validity.customError)
