import { Button } from '@mantine/core'
import { useSession } from '../../../shell/session.ts'
import { useKept } from '../../../ui/form/kept-form.ts'
import { Notice } from '../../../ui/notice/notice.tsx'
import { timeRange } from '../../../ui/time/dates.ts'
import { counted } from '../../../ui/words/lists.ts'
import { progressOf } from './replay-words.ts'
import type { Sender } from './sender.ts'
import { useCount } from './use-count.ts'

const readAgainMs = 5_000

/** A replay that was sent: the time of its deliveries, and how many they were. */
export interface Replayed {
  since: string
  until: string
  count: number
}

/** The latest replay of this person, until they close its notice. A reload finds it again. */
export function useReplayed({ id }: Sender) {
  const { user } = useSession()
  const kept = useKept<{ replayed: Replayed | null }>({
    place: { person: user.id, object: `replayed:${id}`, etag: '' },
    initial: { replayed: null },
  })
  return {
    replayed: kept.values.replayed,
    show: (replayed: Replayed) => kept.set({ replayed }),
    close: kept.discard,
  }
}

interface ReplayProgressProps {
  sender: Sender
  replayed: Replayed
  onClose: () => void
}

/** How far a replay is: what of its time still waits, and what has failed again. */
export function ReplayProgress({ sender, replayed, onClose }: ReplayProgressProps) {
  const { since, until, count } = replayed
  const waiting = useCount(sender, ['PENDING'], replayed, readAgainMs)
  const failed = useCount(sender, ['FAILED', 'PERMANENTLY_FAILED'], replayed, readAgainMs)
  if (!waiting || !failed) return null
  const { tone, words } = progressOf({ count, waiting, failed, isHeld: !sender.enabled })
  return (
    <Notice
      tone={tone}
      title={
        <>
          Replay of {counted(count, 'delivery', 'deliveries')}, {timeRange(new Date(since), new Date(until))}
        </>
      }
      says="politely"
      actions={
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Close
        </Button>
      }
    >
      {words}
    </Notice>
  )
}
