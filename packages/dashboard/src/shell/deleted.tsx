import { Stack } from '@mantine/core'
import { createContext, type ReactNode, use, useState } from 'react'
import { ChangedBy } from '../ui/changes/changed-by.tsx'
import { Notice } from '../ui/notice/notice.tsx'
import { isDeletion } from './live/live-message.ts'
import { useChangedBy } from './live.tsx'

const Deleted = createContext(false)

/** Whether another person has deleted the object of this page. Then the page offers no actions; open forms stay. */
export const useIsDeleted = (): boolean => use(Deleted)

interface ThingProps {
  /** As live messages name it: "audience". */
  kind: string
  id: string
}

/** Under the title: who else has changed this. A deletion is reported above. */
export function LastChange({ kind, id }: ThingProps) {
  const changed = useChangedBy(kind, id)
  const isDeleted = useIsDeleted()
  return changed && !isDeleted && !isDeletion(changed) && <ChangedBy {...changed} />
}

/**
 * The object that was found or, once it is gone, the one that was found last. The dialog of an object in a list thus
 * stays open with what is typed when another person deletes the object. Give it a key that names the object.
 */
export function useLastKnown<Thing>(found: Thing | undefined): Thing | undefined {
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  return found ?? last
}

interface ReadableProps extends ThingProps {
  isDeleted: boolean
  children: ReactNode
}

/** Around the page or the dialog of an object. When another person deletes it, what was read stays readable, and a line says who did. */
export function Readable({ kind, id, isDeleted, children }: ReadableProps) {
  const changed = useChangedBy(kind, id)
  const by = changed && isDeletion(changed) && changed.name
  // The same elements before and after, so that open forms keep what is typed.
  return (
    <Deleted value={isDeleted}>
      <Stack gap="md">
        {isDeleted && (
          // With a name, the deletion has been read out as it happened.
          <Notice tone="bad" title={by ? `Deleted by ${by}` : 'Deleted'} {...(!by && { says: 'politely' })}>
            You still see the last known state. You can no longer save changes here.
          </Notice>
        )}
        {children}
      </Stack>
    </Deleted>
  )
}
