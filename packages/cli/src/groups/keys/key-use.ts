import { ago, shownTime } from '../../terminal/times.ts'

interface UsedKey {
  createdAt: string
  createdBy: { name: string } | null
  lastUsedAt: string | null
}

/** Columns of a list of keys: who created each and when, and when it was used last. */
export const usageColumns = <Key extends UsedKey>(now: Date) => [
  { head: 'CREATED', cell: ({ createdAt }: Key) => shownTime(createdAt) },
  { head: 'BY', cell: ({ createdBy }: Key) => createdBy?.name },
  { head: 'LAST USED', cell: ({ lastUsedAt }: Key) => ago(lastUsedAt, now) || 'never' },
]

/** When a key was used, in a sentence. */
export function momentWords(iso: string, now: Date): string {
  const words = ago(iso, now)
  return words === 'now' ? 'a moment ago' : words
}
