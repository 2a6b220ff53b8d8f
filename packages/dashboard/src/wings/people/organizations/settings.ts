import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { versioned } from '../../../versioned.ts'

export const settingsPath = '/api/dashboard/organization'

/** The organization with its settings, and their version. */
export const useOrganizationSettings = () =>
  useQuery({
    queryKey: ['get', settingsPath],
    queryFn: ({ signal }) => readSettings(signal),
  })

export const readSettings = async (signal?: AbortSignal) =>
  versioned(await api.GET(settingsPath, { ...(signal && { signal }) }))
