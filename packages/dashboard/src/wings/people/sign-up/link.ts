import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'

export type LinkContent = Data<'/api/dashboard/links/check', 'post'>

// Kept while a person signs in to accept an invitation. In an address, it would reach the server's log.
const keptAs = 'svc.link'

export const keepLink = (secret: string): void => sessionStorage.setItem(keptAs, secret)
export const keptLink = (): string | undefined => sessionStorage.getItem(keptAs) ?? undefined
export const forgetLink = (): void => sessionStorage.removeItem(keptAs)

/** What the link is for. Used, expired and unknown links all answer 404. */
export function useLinkContent(secret: string | undefined) {
  return useQuery({
    queryKey: ['link', secret],
    enabled: secret !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => {
      const { data } = await api.POST('/api/dashboard/links/check', { body: { link: secret ?? '' } })
      return data!.data
    },
  })
}
