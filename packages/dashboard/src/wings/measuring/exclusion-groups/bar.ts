import type { Group } from '../../flags/references/kept-apart.ts'

type Slot = Group['slots'][number]

/** The places of a group in an environment, each with its slot if a rule has it. */
export function placesOf({ slotSize, slots }: Pick<Group, 'slotSize' | 'slots'>, envId: string): (Slot | null)[] {
  const own = slots.filter((slot) => slot.envId === envId)
  return Array.from(
    { length: Math.floor(10_000 / slotSize) },
    (_, at) => own.find(({ from }) => from === at * slotSize) ?? null,
  )
}
