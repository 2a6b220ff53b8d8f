/** A row of the actions. `key` is that of an event; the weight is a text while it is typed. */
export interface ActionRow {
  key: string
  weight: string
}

/** What a form asks for that counts events. */
export type ActionValues = {
  envId: string
  actions: ActionRow[]
}

/** The events of the guide. */
export const usualActions: ActionRow[] = [
  { key: 'product_viewed', weight: '1' },
  { key: 'added_to_cart', weight: '3' },
  { key: 'order', weight: '5' },
]

/** The more an event counts, the later it comes. */
export const actionRows = (actions: Record<string, number> | undefined): ActionRow[] =>
  actions
    ? Object.entries(actions)
        .toSorted(([, one], [, other]) => one - other)
        .map(([key, weight]) => ({ key, weight: String(weight) }))
    : usualActions

export const actionsOf = (rows: readonly ActionRow[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ key, weight }) => [key.trim(), Number(weight)]))

const maxActions = 10

export const actionRules = {
  actions: (rows: ActionRow[]): string | undefined =>
    rows.length === 0 ? 'Add an event.' : rows.length > maxActions ? `At most ${maxActions} events.` : undefined,
}

/** What is wrong with actions, by the names of their inputs. */
export function actionFaults(actions: readonly ActionRow[]): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [at, { key, weight }] of actions.entries()) {
    if (key.trim() === '') faults[`actions.${at}.key`] = 'Enter the key of an event.'
    else if (actions.findIndex((other) => other.key.trim() === key.trim()) < at)
      faults[`actions.${at}.key`] = 'This event is there already.'
    if (!(Number(weight) > 0 && Number(weight) <= 1_000))
      faults[`actions.${at}.weight`] = 'Enter more than 0, up to 1,000.'
  }
  return faults
}

/** Which input an issue of the service with `settings` or a `derivation` is about. */
export function actionInput(
  [part, key]: readonly (string | number)[],
  actions: readonly ActionRow[],
): string | undefined {
  if (part !== 'actions') return part === undefined ? undefined : String(part)
  const at = actions.findIndex((row) => row.key.trim() === key)
  return at < 0 ? 'actions' : `actions.${at}.weight`
}

export const actionLabels: Record<keyof ActionValues, string> = { envId: 'The environment', actions: 'The events' }

/** "product_viewed × 1, order × 5", as they are typed. */
export const actionsShown = (rows: readonly ActionRow[]): string =>
  rows.map(({ key, weight }) => `${key} × ${weight}`).join(', ') || 'none'
