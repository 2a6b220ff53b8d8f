import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { api } from '../../../api.ts'

export type LinkContent = Data<'/api/dashboard/links/check', 'post'>

// Kept while a person signs in to accept an invitation. In an address, it would reach the server's log.
const keptAs = 'svc.link'

/** The secret of a single-use link. It is in the fragment of the address, which browsers do not send. */
export function useLinkSecret(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  return hash === '' ? undefined : hash
}

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
