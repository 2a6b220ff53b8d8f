import { ApiError } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { onePath } from '../experiments/experiment.ts'
import type { VariationPath } from './change-set.ts'

export const previewsPath = `${onePath}/previews`

export interface Preview {
  id: string
  status: 'OPEN' | 'EXPIRED' | 'REVOKED'
  variationKey: string
  version: 'DRAFT' | 'LIVE'
  pageKey: string
  createdBy: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string
}

interface NewPreview {
  variationKey: string
  version: Preview['version']
  pageKey: string
  expiresInHours: number
}

type ExperimentPath = Pick<VariationPath, 'projectId' | 'experimentId'>
type Answer<Held> = Promise<{ data?: { data: Held } }>
// The routes are younger than the printed types of the client.
const calls = api as unknown as Record<'GET' | 'POST' | 'DELETE', (path: string, init: object) => Answer<never>>

/** The open previews of an experiment, newest first; null if this service has no previews. */
export const usePreviews = ({ projectId, experimentId }: ExperimentPath) =>
  useQuery({
    queryKey: ['get', previewsPath, { params: { path: { projectId, experimentId } } }],
    queryFn: async ({ signal }): Promise<Preview[] | null> => {
      const params = { path: { projectId, experimentId }, query: { limit: 100 } }
      try {
        const { data } = await (calls.GET(previewsPath, { params, signal }) as Answer<Preview[]>)
        return data!.data.filter(({ status }) => status === 'OPEN')
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/** The address has a secret, and is shown once. */
export async function createPreview(path: ExperimentPath, body: NewPreview): Promise<Preview & { url: string }> {
  const params = { path, header: onlyOnce() }
  const { data } = await (calls.POST(previewsPath, { params, body }) as Answer<Preview & { url: string }>)
  return data!.data
}

export const revokePreview = ({ projectId, experimentId }: ExperimentPath, previewId: string) =>
  calls.DELETE(`${previewsPath}/{previewId}`, { params: { path: { projectId, experimentId, previewId } } })
