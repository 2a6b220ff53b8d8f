import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { wholeList } from '../../flags/references/whole-list.ts'
import { onePath } from '../experiments/experiment.ts'
import type { VariationPath } from './change-set.ts'

export const previewsPath = `${onePath}/previews` as const

export type Preview = Data<typeof previewsPath, 'get'>[number]

type NewPreview = Pick<Preview, 'variationKey' | 'version' | 'pageKey'> & { expiresInHours: number }
type ExperimentPath = Pick<VariationPath, 'projectId' | 'experimentId'>

/** The open previews of an experiment, newest first. */
export const usePreviews = ({ projectId, experimentId }: ExperimentPath) =>
  useQuery({
    queryKey: ['get', previewsPath, { params: { path: { projectId, experimentId } } }],
    queryFn: async ({ signal }) => {
      // Those that have ended are between them.
      const all = await wholeList<Preview>(async (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
        return (await api.GET(previewsPath, { params: { path: { projectId, experimentId }, query }, signal })).data!
      })
      return all.filter(({ status }) => status === 'OPEN')
    },
  })

/** Returns the address, which has a secret and is shown once. */
export async function createPreview({ projectId, experimentId }: ExperimentPath, body: NewPreview): Promise<string> {
  const params = { path: { projectId, experimentId }, header: onlyOnce() }
  const { data } = await api.POST(previewsPath, { params, body })
  // Only the answer to a repeated request has none.
  return data!.data.url!
}

export const revokePreview = ({ projectId, experimentId }: ExperimentPath, previewId: string) =>
  api.DELETE(`${previewsPath}/{previewId}`, { params: { path: { projectId, experimentId, previewId } } })
