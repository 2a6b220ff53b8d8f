import type { Status } from '../../../ui/status/status-words.ts'
import { clockTime } from '../../../ui/time/dates.ts'
import { healthOf } from '../deliveries/health.ts'
import type { Destination } from './destination-path.ts'

/** The state of a destination in words: as of a webhook, and "Held until 14:05". */
export function stateOf(
  destination: Pick<Destination, 'enabled' | 'disableReason' | 'consecutiveFailures' | 'retrying' | 'heldUntil'>,
  now: Date,
): Status {
  const { enabled, heldUntil } = destination
  if (enabled && heldUntil !== null && new Date(heldUntil) > now)
    return { tone: 'warning', words: `Held until ${clockTime(new Date(heldUntil))}` }
  return healthOf(destination)
}
