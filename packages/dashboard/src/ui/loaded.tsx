import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNotice } from './failure-notice.tsx'

interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: Query<Data>
  /** The number of placeholder lines. */
  lines?: number
  children: (data: Data) => ReactNode
}

/** Shows a query: placeholders while it loads, then the data or the failure with a retry. */
export function Loaded<Data>({ query: { data, error, refetch }, lines = 3, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  if (error) return <FailureNotice error={error} title="This cannot be shown" retry={() => void refetch()} />
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} height={18} width={`${90 - line * 15}%`} />
      ))}
    </Stack>
  )
}
