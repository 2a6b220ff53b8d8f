import { ApiError } from '@svc/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { noteAnswer } from './api/connection.ts'
import { server } from './api.ts'

const freshMs = 10_000
const maxRetries = 2

/** Whether a retry can help: the network, the database or a proxy can recover. A refusal stays. */
const mayPass = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 502)

export function openQueryClient(): QueryClient {
  const onSuccess = () => noteAnswer(true, new Date())
  /** The session has ended: loading it again makes inside.tsx open the sign-in page. */
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError)) return
    noteAnswer(error.status !== 0, new Date())
    if (error.code !== 'unauthorized') return
    void client.invalidateQueries({ queryKey: server.queryOptions('get', '/api/dashboard/session').queryKey })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onError, onSuccess }),
    defaultOptions: {
      queries: { staleTime: freshMs, retry: (count, error) => count < maxRetries && mayPass(error) },
    },
  })
  return client
}
