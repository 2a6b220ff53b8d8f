import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

// 2000::/3, the only block that is assigned to the public internet. Most forms that contain an IPv4 address (mapped,
// compatible, NAT64, translated) are outside it. 6to4 and Teredo are inside and have their own ranges.
const globalUnicast = ipaddr.parseCIDR('2000::/3')

// An operator's own receivers can be here. Allowing a host opens no other range.
const privateRanges = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])

// Clouds hand out credentials at these addresses, not only in link-local ranges.
const metadataAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
)

/** Whether an address belongs to the public internet. False for anything that is not a plain address. */
export function isPublicAddress(text: string): boolean {
  const address = parse(text)
  if (!address || isMetadata(address) || address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

/** Whether an address can belong to a host that the operator allowed: it is public, or in a private network. */
export function isAllowedAddress(text: string): boolean {
  const address = parse(text)
  if (!address || isMetadata(address)) return false
  return privateRanges.has(address.range()) || isPublicAddress(text)
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // A zone names a network interface of this machine.
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text)
}

const isMetadata = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  metadataAddresses.includes(address.toNormalizedString())
