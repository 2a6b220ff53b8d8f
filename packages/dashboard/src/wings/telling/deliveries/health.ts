import type { Status } from '../../../ui/status/status-words.ts'
import { counted } from '../../../ui/words/lists.ts'

/** So many failed deliveries in a row disable a webhook. */
export const failuresUntilDisabled = 5

/** The service counts no further. */
const retryingCountedMax = 100

interface Health {
  enabled: boolean
  disableReason: string | null
  consecutiveFailures: number
  retrying: number
}

/** The state of a webhook in words. It counts a failure only after the last try of a delivery. */
export function healthOf({ enabled, disableReason, consecutiveFailures, retrying }: Health): Status {
  if (!enabled)
    return disableReason === null
      ? { tone: 'note', words: 'Switched off' }
      : { tone: 'bad', words: 'Disabled after failures' }
  if (consecutiveFailures > 0)
    return {
      tone: 'warning',
      words: `${counted(consecutiveFailures, 'failure')} in a row (disabled at ${failuresUntilDisabled})`,
    }
  if (retrying > 0)
    return { tone: 'warning', words: `Retrying ${countInWords(retrying, retrying === retryingCountedMax)}` }
  return { tone: 'good', words: 'Healthy' }
}

const numbers = ['No', 'One', 'Two', 'Three', 'Four']

/** What further failures do, for a webhook that is failing. */
export function warningOf(
  { enabled, consecutiveFailures }: Omit<Health, 'retrying'>,
  noun = 'webhook',
): string | undefined {
  if (!enabled || consecutiveFailures === 0) return undefined
  const left = Math.max(1, failuresUntilDisabled - consecutiveFailures)
  const more = left === 1 ? 'One more failed delivery' : `${numbers[left]} more failed deliveries`
  return `${more} in a row ${left === 1 ? 'disables' : 'disable'} it. All webhooks and destinations of the organization that subscribe to ${noun}.disabled then get this event. One success resets the count.`
}

/**
 * A test comes before switching on again, if the receiver may still fail. People of a chat would read it, so a chat
 * is tested only if failures were the reason.
 */
export const asksFirst = ({ kind, disableReason }: { kind: { noun: string }; disableReason: string | null }): boolean =>
  kind.noun === 'webhook' || disableReason !== null

/** "3 deliveries wait" or, if there can be more than were read, "100 or more deliveries wait". */
export const countInWords = (count: number, hasMore: boolean): string =>
  hasMore ? `${count.toLocaleString('en')} or more deliveries` : counted(count, 'delivery', 'deliveries')
