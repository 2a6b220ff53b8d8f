import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { api } from '../../../api.ts'

export type LinkContent = Data<'/api/dashboard/links/check', 'post'>

// Kept while somebody with an account signs in on the way to an invitation: an address would carry it to the server.
const keptAs = 'svc.link'

/** The secret of a single-use link: it stands behind the #, which no server sees. */
export function useLinkSecret(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  return hash === '' ? undefined : hash
}

export const keepLink = (secret: string): void => sessionStorage.setItem(keptAs, secret)
export const keptLink = (): string | undefined => sessionStorage.getItem(keptAs) ?? undefined
export const forgetLink = (): void => sessionStorage.removeItem(keptAs)

/** What the link is for. One that was used, has expired or never was answers 404, whichever it is. */
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
