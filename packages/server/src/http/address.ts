import ipaddr from 'ipaddr.js'

/** The groups of an IPv6 address that name a network. One customer has all addresses in it. */
const networkGroups = 4

/**
 * The source of a request, as rate limits count it: an IPv4 address in one spelling, or the /64 of an IPv6 address,
 * because one machine can use all addresses of its /64.
 */
export function addressSubject(ip: string): string {
  if (!ipaddr.isValid(ip)) return `address ${ip}`
  const address = ipaddr.process(ip)
  const network = 'parts' in address ? `${hex(address.parts.slice(0, networkGroups))}::/64` : address.toString()
  return `address ${network}`
}

const hex = (groups: number[]): string => groups.map((group) => group.toString(16)).join(':')
