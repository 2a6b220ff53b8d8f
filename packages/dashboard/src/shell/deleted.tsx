import { Stack } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import { Notice } from '../ui/notice.tsx'
import { useChangedBy } from './live.tsx'

const Deleted = createContext(false)

/** Whether another person has deleted the object of this page. Then the page offers no actions; open forms stay. */
export const useIsDeleted = (): boolean => use(Deleted)

interface ReadableProps {
  /** As live messages name it: "audience". */
  kind: string
  id: string
  isDeleted: boolean
  children: ReactNode
}

/** Around the page of an object. When another person deletes it, what was read stays readable, and a line says who did. */
export function Readable({ kind, id, isDeleted, children }: ReadableProps) {
  const changed = useChangedBy(kind, id)
  const by = changed?.action.endsWith('.delete') ? ` by ${changed.name}` : ''
  // The same elements before and after, so that open forms keep what is typed.
  return (
    <Deleted value={isDeleted}>
      <Stack gap="md">
        {isDeleted && (
          <Notice tone="bad" title={`Deleted${by}`} says="politely">
            You still see the last known state. Nothing here can be saved any more.
          </Notice>
        )}
        {children}
      </Stack>
    </Deleted>
  )
}
