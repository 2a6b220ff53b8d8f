import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'

export type Named = Data<'/api/v1/names', 'post'>[number]

const most = 100

/** The names of up to 100 ids, by id. Empty until they are known. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, Named> {
  const asked = [...new Set(ids)].slice(0, most).sort()
  const { data } = useQuery({
    queryKey: ['post', '/api/v1/names', asked],
    queryFn: async ({ signal }) => {
      const { data } = await api.POST('/api/v1/names', { body: { ids: asked }, signal })
      return data!.data
    },
    enabled: asked.length > 0,
  })
  return new Map((data ?? []).map((named) => [named.id, named]))
}
