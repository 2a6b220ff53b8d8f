import { counted } from '../../../ui/lists.ts'
import type { Status } from '../../../ui/status-words.ts'

/** So many failed deliveries in a row disable a webhook. */
export const failuresUntilDisabled = 5

interface Health {
  enabled: boolean
  disableReason: string | null
  consecutiveFailures: number
}

/** The state of a webhook in words, with its count of failures. */
export function healthOf({ enabled, disableReason, consecutiveFailures }: Health): Status {
  if (!enabled)
    return disableReason === null
      ? { tone: 'note', words: 'Switched off' }
      : { tone: 'bad', words: 'Disabled after failures' }
  if (consecutiveFailures > 0)
    return { tone: 'warning', words: `Failing ${consecutiveFailures} of ${failuresUntilDisabled}` }
  return { tone: 'good', words: 'Healthy' }
}

/** A state that is good, with what is not well besides. */
export const withRetries = (state: Status, { count, hasMore }: { count: number; hasMore: boolean }): Status =>
  state.tone === 'good' && count > 0 ? { tone: 'warning', words: `Retrying ${countInWords(count, hasMore)}` } : state

const numbers = ['No', 'One', 'Two', 'Three', 'Four']

/** What further failures do, for a webhook that is failing. */
export function warningOf({ enabled, consecutiveFailures }: Health, noun = 'webhook'): string | undefined {
  if (!enabled || consecutiveFailures === 0) return undefined
  const left = Math.max(1, failuresUntilDisabled - consecutiveFailures)
  const more = left === 1 ? 'One more failed delivery' : `${numbers[left]} more failed deliveries`
  return `${more} in a row ${left === 1 ? 'disables' : 'disable'} it. Then those of the organization that subscribe to ${noun}.disabled are told. One success resets the count.`
}

/** "3 deliveries wait" or, if there can be more than were read, "100 or more deliveries wait". */
export const countInWords = (count: number, hasMore: boolean): string =>
  hasMore ? `${count.toLocaleString('en')} or more deliveries` : counted(count, 'delivery', 'deliveries')
