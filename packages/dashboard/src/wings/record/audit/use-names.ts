import { useQueries } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import type { AuditEntry } from './entry.tsx'
import { idsIn, inBatches, type NameOfId } from './names.ts'

/** What the ids of entries are called, asked for once for each page of the log. */
export function useNames(pages: readonly (readonly AuditEntry[])[]): ReadonlyMap<string, NameOfId> {
  const batches = pages.flatMap((entries) => inBatches(idsIn(entries)))
  return useQueries({
    queries: batches.map((ids) => ({
      queryKey: ['post', '/api/v1/names', ids],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await api.POST('/api/v1/names', { body: { ids }, signal })).data!.data,
    })),
    combine: (answers) => new Map(answers.flatMap(({ data }) => data ?? []).map((name) => [name.id, name])),
  })
}
