import { isIP } from 'node:net'
import { orAborted, withDeadline } from './abort.ts'
import { isAllowedAddress, isPublicAddress } from './address.ts'
import { defaultPort } from './allowed-hosts.ts'
import { refused, theirs } from './failure.ts'
import type { Address, Resolve } from './nameserver.ts'

const resolveTimeoutMs = 5_000
const addressesMax = 8

/** The destination of an attempt: a host and the only addresses that passed the check. */
export interface Destination {
  host: string
  port: number
  addresses: Address[]
}

/** Resolves the host of a URL and checks every address: one that is forbidden refuses all. Throws an OutboundError. */
export async function resolveDestination(
  url: URL,
  { resolve, isOpened }: { resolve: Resolve; isOpened: boolean },
): Promise<Destination> {
  const addresses = await answers(url.hostname, resolve)
  if (addresses.length === 0) throw cannotBeResolved()
  const isGood = isOpened ? isAllowedAddress : isPublicAddress
  const bad = addresses.find(({ address }) => !isGood(address))
  if (bad) throw refused(`URL host resolves to a private IP address (${bad.address})${needed(url, addresses)}`)
  return { host: url.hostname, port: Number(url.port || 443), addresses: addresses.slice(0, addressesMax) }
}

/** How the operator can allow the host, if they can: some addresses are forbidden for every host. */
const needed = ({ hostname, port }: URL, addresses: readonly Address[]): string =>
  addresses.every(({ address }) => isAllowedAddress(address))
    ? `, which needs the entry ${hostname}:${port || defaultPort} in SVC_WEBHOOK_ALLOWED_HOSTS`
    : ''

const cannotBeResolved = () => theirs('URL host cannot be resolved')

async function answers(host: string, resolve: Resolve): Promise<Address[]> {
  const limited = withDeadline(resolveTimeoutMs, cannotBeResolved, (end) => orAborted(resolve(host), end))
  const found = await limited.catch(() => {
    throw cannotBeResolved()
  })
  // The family is read from the address, because the resolver's own value cannot be trusted.
  return found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
}
