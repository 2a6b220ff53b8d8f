import type { Status } from '../../../ui/status/status-words.ts'
import { countInWords } from './health.ts'

/** The service sends so many again at once, the oldest first. */
const sentAtOnce = 10_000

interface Count {
  count: number
  /** There are more than were read. */
  hasMore: boolean
}

interface Progress {
  /** How many were sent again. */
  count: number
  /** Deliveries of the same time. */
  waiting: Count
  failed: Count
  /** The sender is off. */
  isHeld: boolean
}

/** How far a replay is, in sentences. */
export function progressOf({ count, waiting, failed, isHeld }: Progress): Status {
  const isDone = waiting.count === 0
  const hasFailed = failed.count > 0
  const sentences = [
    !isDone &&
      `${of(waiting)} of this time ${isOne(waiting) ? 'waits' : 'wait'}${isHeld ? ' until you switch it on' : ''}.`,
    hasFailed && `${of(failed)} ${isOne(failed) ? 'has' : 'have'} failed again.`,
    isDone && !hasFailed && (count === 1 ? 'It has arrived.' : 'All have arrived.'),
    count >= sentAtOnce &&
      `At most ${sentAtOnce.toLocaleString('en')} are sent at once, the oldest first: replay again for the rest.`,
  ]
  return { tone: !isDone ? 'note' : hasFailed ? 'warning' : 'good', words: sentences.filter(Boolean).join(' ') }
}

const of = ({ count, hasMore }: Count): string => countInWords(count, hasMore)

const isOne = ({ count, hasMore }: Count): boolean => count === 1 && !hasMore
