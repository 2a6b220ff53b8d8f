import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { saveAnswer } from '../../../ui/save-file.ts'
import { refresh } from '../../../versioned.ts'

const resultsPath = '/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results'
const refreshPath = '/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results/refresh'
const lookAgainMs = 3000

export interface WhichRule {
  projectId: string
  flagId: string
  ruleId: string
}

/** The results of a rule as of its last snapshot, with ways to have a new one computed and to download them. */
export function useResults(path: WhichRule) {
  const client = useQueryClient()
  /** When the results were generated that are being replaced. */
  const [replaced, setReplaced] = useState<string>()
  const query = server.useQuery(
    'get',
    resultsPath,
    { params: { path, query: { include: 'timeseries' } } },
    {
      refetchInterval: ({ state }) =>
        replaced !== undefined &&
        (state.data as { data: { generatedAt: string } } | undefined)?.data.generatedAt === replaced
          ? lookAgainMs
          : false,
    },
  )
  const results = query.data?.data
  const renew = useMutation({
    mutationFn: async () => (await api.POST(refreshPath, { params: { path } })).data!.data,
    onSuccess: async ({ refreshing, generatedAt }) => {
      setReplaced(refreshing ? generatedAt : undefined)
      await refresh(client, resultsPath)
    },
  })
  const isRenewing = renew.isPending || (replaced !== undefined && results?.generatedAt === replaced)
  const exporting = useMutation({
    mutationFn: async () => {
      const params = { path, query: { format: 'csv' } } as const
      saveAnswer(await api.GET(resultsPath, { params, parseAs: 'blob' }), 'results.csv')
    },
  })
  return { query: { ...query, data: results }, renew, isRenewing, exporting }
}
