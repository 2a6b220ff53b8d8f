import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import type { SenderContent, SenderKind } from './sender.ts'

/** As many as an organization can have. */
const limit = 100

/** All of the project. */
export function useSenders<Thing extends SenderContent>({ paths }: SenderKind) {
  const { project } = usePlace()
  const params = { path: { projectId: project.id }, query: { limit } }
  return useQuery({
    queryKey: ['get', paths.list, { params }],
    queryFn: async ({ signal }) => (await api.GET(paths.list, { params, signal })).data!.data as unknown as Thing[],
  })
}
