import ipaddr from 'ipaddr.js'

/** The groups of an IPv6 address that name a network; one customer has all that follows. */
const networkGroups = 4

/**
 * Where a request comes from, as rate limits count it: an IPv4 address however it is written, and of IPv6 the /64, from
 * which one machine has as many addresses as it likes.
 */
export function addressSubject(ip: string): string {
  if (!ipaddr.isValid(ip)) return `address ${ip}`
  const address = ipaddr.process(ip)
  const network = 'parts' in address ? `${hex(address.parts.slice(0, networkGroups))}::/64` : address.toString()
  return `address ${network}`
}

const hex = (groups: number[]): string => groups.map((group) => group.toString(16)).join(':')
