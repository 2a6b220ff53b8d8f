import { apiClient } from '@svc/client'
import createQueries from 'openapi-react-query'
import { chosenOrganization } from './shell/chosen-organization.ts'

/** For calls outside components. Every failure is thrown as an `ApiError`. */
export const api = apiClient({
  baseUrl: '',
  headers: () => {
    const organization = chosenOrganization()
    return organization ? { 'svc-org-id': organization } : {}
  },
})

/** For components: `server.useQuery('get', '/api/v1/projects')`, `server.useMutation('post', …)`. */
export const server = createQueries(api)
