import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { versioned } from '../../../versioned.ts'

export const settingsPath = '/api/dashboard/organization'

/** The organization with its settings, and their version. */
export const useOrganizationSettings = () =>
  useQuery({
    queryKey: ['get', settingsPath],
    queryFn: async ({ signal }) => versioned(await api.GET(settingsPath, { signal })),
  })
