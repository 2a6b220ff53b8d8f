import type { Data } from '@svc/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api.ts'
import { saveAnswer } from '../../../ui/code/save-file.ts'
import { refresh } from '../../../versioned.ts'
import type { Results } from './figures.ts'

const rulePath = '/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results'
const experimentPath = '/api/v1/projects/{projectId}/experiments/{experimentId}/results'
/** Experiments show their results in short. */
const experimentsPath = '/api/v1/projects/{projectId}/experiments'
const lookAgainMs = 3000

/** The results of an experiment have its phases. */
export type TestResults = Results & Partial<Pick<Data<typeof experimentPath, 'get'>, 'phases'>>

/** An experiment keeps its results when its rule is gone. */
export type WhichResults =
  | { projectId: string; flagId: string; ruleId: string }
  | { projectId: string; experimentId: string }

/** The results of a rule or experiment as of its last snapshot, with ways to have a new one computed and to download them. */
export function useResults(which: WhichResults) {
  const client = useQueryClient()
  /** When the results were generated that are being replaced. */
  const [replaced, setReplaced] = useState<string>()
  const query = useQuery({
    queryKey: ['get', 'experimentId' in which ? experimentPath : rulePath, which],
    queryFn: ({ signal }) => readResults(which, signal),
    refetchInterval: ({ state }) =>
      replaced !== undefined && state.data?.generatedAt === replaced ? lookAgainMs : false,
  })
  const results = query.data
  const isReplaced = replaced !== undefined && results !== undefined && results.generatedAt !== replaced
  useEffect(() => {
    if (isReplaced) void refresh(client, experimentsPath, `${experimentsPath}/{experimentId}`)
  }, [client, isReplaced])
  const renew = useMutation({
    mutationFn: async () => (await refreshed(which)).data!.data,
    onSuccess: async ({ refreshing, generatedAt }) => {
      setReplaced(refreshing ? generatedAt : undefined)
      await refresh(client, rulePath, experimentPath, experimentsPath, `${experimentsPath}/{experimentId}`)
    },
  })
  const isRenewing = renew.isPending || (replaced !== undefined && results?.generatedAt === replaced)
  const exporting = useMutation({
    mutationFn: async (dimension: string) => saveAnswer(await download(which, dimension), 'results.csv'),
  })
  return { query, renew, isRenewing, exporting }
}

/** The figures of the values of a dimension. Read only when a person chooses one. */
export const useDimension = (which: WhichResults, dimension: string) =>
  useQuery({
    queryKey: ['get', 'experimentId' in which ? experimentPath : rulePath, which, { dimension }],
    queryFn: async ({ signal }) => {
      const query = { dimension }
      const { data } =
        'experimentId' in which
          ? await api.GET(experimentPath, { params: { path: which, query }, signal })
          : await api.GET(rulePath, { params: { path: which, query }, signal })
      return data!.data.dimension ?? { name: dimension, values: [] }
    },
    enabled: dimension !== '',
  })

async function readResults(which: WhichResults, signal: AbortSignal): Promise<TestResults> {
  const query = { include: 'timeseries' } as const
  const { data } =
    'experimentId' in which
      ? await api.GET(experimentPath, { params: { path: which, query }, signal })
      : await api.GET(rulePath, { params: { path: which, query }, signal })
  return data!.data
}

const refreshed = (which: WhichResults) =>
  'experimentId' in which
    ? api.POST(`${experimentPath}/refresh`, { params: { path: which } })
    : api.POST(`${rulePath}/refresh`, { params: { path: which } })

const download = (which: WhichResults, dimension: string) => {
  const query = { format: 'csv' as const, ...(dimension !== '' && { dimension }) }
  return 'experimentId' in which
    ? api.GET(experimentPath, { params: { path: which, query }, parseAs: 'blob' })
    : api.GET(rulePath, { params: { path: which, query }, parseAs: 'blob' })
}
