import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { server } from '../../api.ts'
import { useMay } from '../session.ts'

const restMs = 200
const mostProducts = 5
const leastCharacters = 2

/** Products are too many for the index of a project, so the service looks for what is typed, once typing has paused. */
export function useFoundProducts(projectId: string | undefined, typed: string) {
  const mayRead = useMay('catalog:read')
  const path = { projectId: projectId ?? '' }
  const { data: catalog } = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/catalog',
    { params: { path } },
    { enabled: projectId !== undefined && mayRead },
  )
  const [q] = useDebouncedValue(typed.trim(), restMs)
  const isWanted = q.length >= leastCharacters && !q.startsWith('>') && (catalog?.data.counts.products ?? 0) > 0
  const { data } = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/catalog/products',
    { params: { path, query: { q: q.slice(0, 200), limit: mostProducts } } },
    { enabled: isWanted, placeholderData: keepPreviousData },
  )
  return isWanted ? { q, products: data?.data ?? [] } : { q, products: [] }
}
