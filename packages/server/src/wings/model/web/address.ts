const maxAddressLength = 2000
const maxImageLength = 20_000

/** Where an address goes: links can also be mail and telephone, images can also be data. */
export type AddressUse = 'link' | 'image'

const rules: Record<AddressUse, string> = {
  link: 'must be http, https, mailto, tel or a relative address',
  image: 'must be http, https, a relative address or a data image',
}

const dataImage = /^data:image\/(?:png|jpeg|jpg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)[;,]/i

/**
 * The rule that an address breaks; undefined if it breaks none. Browsers remove control characters from an address and
 * then read its scheme, so an address with such a character is refused, and everything before the first colon counts as
 * a scheme.
 */
export function addressFault(address: string, use: AddressUse): string | undefined {
  if (/[\p{Cc}\p{Bidi_Control}]|^\s|\s$/u.test(address))
    return 'must be an address without control characters, line breaks and spaces around it'
  const scheme = /^([^/?#]*?):/.exec(address)?.[1]?.toLowerCase()
  const isImage = scheme === 'data' && use === 'image'
  const limit = isImage ? maxImageLength : maxAddressLength
  if (address.length > limit) return `must have at most ${limit} characters`
  if (scheme === undefined) return undefined
  if (scheme === 'http' || scheme === 'https')
    return /^https?:\/\/[^/?#\\\s]/i.test(address) ? undefined : `must have a host after ${scheme}://`
  if (use === 'link' && (scheme === 'mailto' || scheme === 'tel')) return undefined
  return isImage && dataImage.test(address) ? undefined : `${rules[use]}, and this one begins with ${quoted(scheme)}`
}

/** As {@link addressFault}, for each address of `srcset`. */
export function srcsetFault(srcset: string): string | undefined {
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(srcset.replace(/[\t\n\f\r]/g, ' '))) return addressFault('\0', 'image')
  for (let rest = srcset.replace(/^[\s,]+/, ''); rest !== ''; rest = rest.replace(/^[\s,]+/, '')) {
    const [written = ''] = /^\S+/.exec(rest) ?? []
    const endsHere = written.endsWith(',')
    const fault = addressFault(endsHere ? withoutCommas(written) : written, 'image')
    if (fault !== undefined) return fault
    rest = rest.slice(written.length)
    if (endsHere) continue
    const [descriptor = ''] = /^[^,]*/.exec(rest) ?? []
    if (!/^\s*(?:\d+(?:\.\d+)?[wx])?\s*$/.test(descriptor))
      return 'must be a list of addresses, each with a width such as 640w or a density such as 2x'
    rest = rest.slice(descriptor.length)
  }
  return undefined
}

function withoutCommas(address: string): string {
  let end = address.length
  while (address[end - 1] === ',') end -= 1
  return address.slice(0, end)
}

/** A short piece of what somebody wrote, for a sentence. */
export function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
  return `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}”`
}
