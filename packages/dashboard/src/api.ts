import { apiClient } from '@svc/client'
import createQueries from 'openapi-react-query'
import { chosenOrganization } from './api/chosen-organization.ts'
import { writeBegins, writeEnds } from './api/own-requests.ts'

/** For calls outside components. Every failure is thrown as an `ApiError`. */
export const api = apiClient({
  baseUrl: '',
  headers: () => {
    const organization = chosenOrganization()
    return organization ? { 'svc-org-id': organization } : {}
  },
})

// The service announces every change with the id of its request, so that a tab can recognize its own.
api.use({
  onRequest({ request }) {
    if (request.method !== 'GET') writeBegins()
  },
  onResponse({ request, response }) {
    if (request.method !== 'GET') writeEnds(response.headers.get('x-request-id'))
  },
  onError({ request }) {
    if (request.method !== 'GET') writeEnds(null)
  },
})

/** For components: `server.useQuery('get', '/api/v1/projects')`, `server.useMutation('post', …)`. */
export const server = createQueries(api)

/** How `server.useInfiniteQuery` goes from page to page. */
export const byCursor = {
  initialPageParam: null,
  getNextPageParam: ({ page }: { page: { nextCursor: string | null } }) => page.nextCursor,
}
