import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { numberIn } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { type Versioned, versioned } from '../../../versioned.ts'
import { wholeList } from '../../flags/references/whole-list.ts'

export const listPath = '/api/v1/projects/{projectId}/experiments'
export const onePath = '/api/v1/projects/{projectId}/experiments/{experimentId}'

/** With the fields that are null for an experiment on a flag. */
export type ExperimentOnPages = Data<typeof listPath, 'get'>[number]

/** Fields of experiments on a website are null here. */
export type Experiment = Omit<ExperimentOnPages, 'pages' | 'activation' | 'applyAt'>

/** A project has up to 500 that are not archived, so the list is read whole. */
export function useExperiments() {
  const { project } = usePlace()
  return useQuery({
    queryKey: ['get', listPath, project.id],
    queryFn: ({ signal }) =>
      wholeList<Experiment>(async (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
        const { data } = await api.GET(listPath, { params: { path: { projectId: project.id }, query }, signal })
        return data!
      }),
  })
}

/** An experiment on a flag needs both permissions, a web experiment only its own. */
export function useMayTest(): boolean {
  const { project } = usePlace()
  const [mayTest, mayEditFlags] = [useMay('experiments:write'), useMay('flags:write')]
  return mayTest && (mayEditFlags || project.type === 'WEB')
}

const recentPath = `${onePath}/recent-figures` as const

export type RecentFigures = Data<typeof recentPath, 'get'>

/** What tests of the environment measured lately. Without the permission to read results, nothing is known. */
export function useRecentFigures(experimentId: string) {
  const { project } = usePlace()
  const path = { projectId: project.id, experimentId }
  return useQuery({
    queryKey: ['get', recentPath, path],
    queryFn: async ({ signal }) => (await api.GET(recentPath, { params: { path }, signal })).data!.data,
    enabled: useMay('results:read') && experimentId !== '',
  })
}

/** `wanted` is an id, a short number, or a short number with words. */
export const readExperiment = async (
  projectId: string,
  wanted: string,
  signal?: AbortSignal,
): Promise<Versioned<ExperimentOnPages>> => {
  const path = { projectId, experimentId: String(numberIn(wanted) ?? wanted) }
  return versioned(await api.GET(onePath, { params: { path }, ...(signal && { signal }) }))
}

type Named = Pick<ExperimentOnPages, 'variations'> & Partial<Pick<ExperimentOnPages, 'pages'>>

/** Names of the variations and pages of a web experiment by key, for its differences. */
export const namesOfExperiment = ({ variations, pages = null }: Named) => ({
  variations: new Map(variations.map(({ key, name }) => [key, name])),
  pages: new Map((pages ?? []).map(({ key, name }) => [key, name])),
})
