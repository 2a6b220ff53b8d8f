import { type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { hostAllowed } from '../../../model/web/index.ts'

/** Refuses an address outside of the hosts of the project: its page must not get what only the site may see. */
export function refusesHost(url: string, hosts: readonly string[]): Refusal | undefined {
  if (hostAllowed(url, hosts)) return undefined
  const { hostname } = new URL(url)
  const message = `${hostname} is none of the hosts of the project. Add it to the hosts in the web settings.`
  return refuse('invalid_state', message, { missing: [{ code: 'HOST_NOT_ALLOWED', message }] })
}
