import type { ReactNode } from 'react'
import { FailureNotice } from '../notice/failure-notice.tsx'
import { Skeletons, useSkeletons } from './skeletons.tsx'

export interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: Query<Data>
  /** The number of placeholders. */
  lines?: number
  /** The layout of what is loaded. */
  like?: 'lines' | 'table' | 'cards'
  children: (data: Data) => ReactNode
}

/** Shows a query: placeholders while it loads, then the data or the failure with a retry. Old data stays visible. */
export function Loaded<Data>({
  query: { data, error, refetch },
  lines = 3,
  like = 'lines',
  children,
}: LoadedProps<Data>) {
  const isWaiting = useSkeletons(data === undefined && !error)
  if (isWaiting) return <Skeletons like={like} count={lines} />
  if (data !== undefined) return children(data)
  return <FailureNotice error={error} title="This cannot be shown" retry={() => void refetch()} />
}
