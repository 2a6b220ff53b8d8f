import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

// 2000::/3, the only block that is assigned to the public internet. What carries an IPv4 address inside (mapped,
// compatible, NAT64, translated) lies outside of it; 6to4 and Teredo lie inside and have a range of their own.
const globalUnicast = ipaddr.parseCIDR('2000::/3')

// An operator's own receivers may live here; nothing else is opened by naming a host.
const privateRanges = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])

// Where clouds hand out credentials: not only in link-local ranges.
const metadataAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
)

/** Whether an address belongs to the public internet. Anything that is no plain address does not. */
export function isPublicAddress(text: string): boolean {
  const address = parse(text)
  if (!address || isMetadata(address) || address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

/** Whether an address may belong to a host that the operator allowed: public, or on a network of the operator's own. */
export function isAllowedAddress(text: string): boolean {
  const address = parse(text)
  if (!address || isMetadata(address)) return false
  return privateRanges.has(address.range()) || isPublicAddress(text)
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // A zone names an interface of this machine.
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text)
}

const isMetadata = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  metadataAddresses.includes(address.toNormalizedString())
