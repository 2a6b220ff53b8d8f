const addressBits = 128
const ipv4Bits = 32
const mappedPrefix = '0'.repeat(80) + '1'.repeat(16)

/**
 * Reads an IPv4 or IPv6 block such as `10.0.0.0/8` or `2001:db8::/32`. A plain address is a block of one address.
 * A block contains only addresses of its own family: `::/0` contains no IPv4 address.
 *
 * @returns a test of parsed addresses, or undefined when it is not a block
 */
export function parseBlock(value: unknown): ((address: string) => boolean) | undefined {
  if (typeof value !== 'string') return undefined
  const [, base = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? []
  const size = base.includes(':') ? addressBits : ipv4Bits
  const bits = Number(length ?? size)
  const prefix = parseAddress(base)?.slice(0, addressBits - size + bits)
  if (prefix === undefined || bits > size) return undefined
  return (address) => address.startsWith(prefix) && isIpv4(address) === isIpv4(prefix)
}

/**
 * Reads an address as a string of 128 binary digits. IPv4 is read as IPv4-mapped IPv6, so `::ffff:10.0.0.1`, which
 * dual-stack sockets report, equals `10.0.0.1`. Returns undefined if the value is not an address.
 */
export function parseAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [left = '', right, more] = withoutDots(value).split('::')
  const head = groupsOf(left)
  const tail = groupsOf(right)
  const missing = 8 - head.length - tail.length
  if (more !== undefined || (right === undefined ? missing : missing < 1)) return undefined
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

// Some resolvers read a leading zero as octal, others do not. Such text is left as it is, and then refused as a group.
function withoutDots(text: string): string {
  return text.replace(/(^|:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (dotted, before: string, ...rest: string[]) => {
    const octets = rest.slice(0, 4).map(Number)
    if (octets.join('.') !== dotted.slice(before.length) || octets.some((octet) => octet > 255)) return dotted
    const [a = 0, b = 0, c = 0, d = 0] = octets
    return `${before || '::ffff:'}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
}

function groupsOf(half: string | undefined): string[] {
  return half ? half.split(':') : []
}

function isIpv4(bits: string): boolean {
  return bits.startsWith(mappedPrefix)
}
