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

const ipv4Octets = 3
const ipv6Groups = 3

/**
 * The network of an address on the internet: the /24 of an IPv4 address or the /48 of an IPv6 address. Undefined for
 * others, such as those of a proxy in the same network, which say nothing about who sent a request.
 */
export function networkOf(ip: string): string | undefined {
  if (!ipaddr.isValid(ip)) return undefined
  const address = ipaddr.process(ip)
  if (address.range() !== 'unicast') return undefined
  return 'parts' in address
    ? `${hex(address.parts.slice(0, ipv6Groups))}::/48`
    : `${address.octets.slice(0, ipv4Octets).join('.')}.0/24`
}

const hex = (groups: number[]): string => groups.map((group) => group.toString(16)).join(':')
