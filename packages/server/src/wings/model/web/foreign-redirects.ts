import type { WebContent } from './content.ts'
import { hostAllowed } from './hosts.ts'

/** The variations that would send visitors to a host which the project does not have. */
export const foreignRedirects = (
  { variations }: Pick<WebContent, 'variations'>,
  tested: readonly { id: string; key: string }[],
  hosts: readonly string[],
): { code: 'HOST_NOT_ALLOWED'; message: string }[] =>
  tested.flatMap(({ id, key }) => {
    const url = variations[id]?.redirect?.url
    if (url === undefined || hostAllowed(url, hosts)) return []
    const message = `${key} redirects to ${new URL(url).hostname}, which is none of the hosts of the project. Add it to the hosts in the web settings, or change the redirect.`
    return [{ code: 'HOST_NOT_ALLOWED', message }]
  })
