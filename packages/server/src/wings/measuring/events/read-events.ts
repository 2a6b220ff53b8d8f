import { type Arrival, isFault, readEvent, type ToldError } from './event.ts'
import type { Fault } from './fault.ts'
import type { KnownNames, NameStore } from './names.ts'
import type { NewOrder } from './order.ts'
import type { NewEvent } from './store.ts'

/** Reads events of an environment, with the names of its rules as they are now. */
export async function readEvents(
  names: NameStore,
  told: readonly unknown[],
  arrival: Omit<Arrival, 'ruleNamed'>,
): Promise<ReadEvents> {
  const { envId } = arrival
  const read = readWith(await names.of(envId), told, arrival)
  const namesUnknown = read.rejected.some(({ code }) => code === 'unknown_rule' || code === 'unknown_variation')
  return namesUnknown ? readWith(await names.renewed(envId), told, arrival) : read
}

interface ReadEvents {
  events: NewEvent[]
  /** Kept apart from events: they can change later. */
  orders: NewOrder[]
  /** Errors of the code of variations, which no event store keeps. */
  errors: { index: number; error: ToldError }[]
  rejected: ({ index: number } & Fault)[]
  /** The flags whose rules the events name. */
  flagKeys: ReadonlySet<string>
}

function readWith(names: KnownNames, told: readonly unknown[], arrival: Omit<Arrival, 'ruleNamed'>): ReadEvents {
  const flagKeys = new Set<string>()
  const events: NewEvent[] = []
  const orders: NewOrder[] = []
  const errors: ReadEvents['errors'] = []
  const rejected: ({ index: number } & Fault)[] = []
  const whole: Arrival = {
    ...arrival,
    ruleNamed(name) {
      const rule = names.find(name)
      if (rule) flagKeys.add(rule.flagKey)
      return rule
    },
  }
  for (const [index, each] of told.entries()) {
    const event = readEvent(each, whole)
    if (isFault(event)) rejected.push({ index, ...event })
    else if (event.type === 'error') errors.push({ index, error: event })
    else if (event.type === 'order') orders.push(event)
    else events.push(event)
  }
  return { events, orders, errors, rejected, flagKeys }
}
