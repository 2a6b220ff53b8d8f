import { pageContext } from '@svc/core'

/** The attributes of a page; undefined if the text is not an absolute http or https address. */
export const contextOfPage = (address: string, referrer?: string | null): Record<string, string> | undefined =>
  webAddress(address) && pageContext(address, referrer)

/** An absolute http or https address; undefined for any other text. */
export function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** The name of a host as browsers give it; undefined if the text is anything else, or more than a name. */
export function hostName(text: string): string | undefined {
  if (!/^(?:[^\s/?#@:\\*%[\]]+|\[[\da-fA-F:.]+\])$/.test(text)) return undefined
  const url = URL.canParse(`https://${text}/`) ? new URL(`https://${text}/`) : undefined
  return url && !/^$|^\.|\.\.|\.$/.test(url.hostname) ? url.hostname : undefined
}

const pageAttributes = new Set(['page.url', 'page.host', 'page.path', 'page.hash', 'page.referrer'])

/** The rule that the name of an attribute of a page breaks; undefined if it breaks none or names no page. */
export function pageAttributeFault(name: string): string | undefined {
  if (name !== 'page' && !name.startsWith('page.')) return undefined
  if (pageAttributes.has(name) || /^page\.query\../s.test(name)) return undefined
  return `must be one of ${[...pageAttributes].join(', ')} and page.query.<name>`
}

/** Where a condition looks for its value: it is the whole of it, its begin, or anywhere in it. */
export type Place = 'whole' | 'begin' | 'anywhere'

interface Form {
  /** One of these texts begins it, or anything if there are none; and an example. */
  begins: readonly [texts: readonly string[], example: string]
  /** As browsers write it; undefined if no page has anything like it. */
  written(value: string): string | undefined
}

const web: Form['begins'] = [['http://', 'https://'], 'https://shop.example']
const forms = new Map<string, Form>([
  ['page.url', { begins: web, written: (value) => contextOfPage(value)?.['page.url'] }],
  ['page.host', { begins: [[], 'shop.example'], written: hostName }],
  [
    'page.path',
    {
      begins: [['/'], '/pricing'],
      written: (value) => contextOfPage(`https://shop.example${value}`)?.['page.path'],
    },
  ],
  [
    'page.hash',
    {
      begins: [['#'], '#reviews'],
      written: (value) => contextOfPage(`https://shop.example/${value}`)?.['page.hash'],
    },
  ],
  ['page.referrer', { begins: web, written: (value) => webAddress(value)?.href.replace(/#.*/s, '') }],
])

/** Why no page can have this value in this attribute; undefined if one can. */
export function impossibleValue(attribute: string, value: string, place: Place): string | undefined {
  const form = forms.get(attribute)
  if (form === undefined) return undefined
  const ends = attribute === 'page.path' || attribute === 'page.url'
  if (ends && /[?#]/.test(value))
    return `must not contain ? or #: ${attribute} ends before them. Use page.query.<name> or page.hash`
  if (attribute === 'page.host') {
    if (/[A-Z]/.test(value)) return `must be in lower case: ${value.toLowerCase()}`
    if (place !== 'whole' && /[^\x21-\x7e]/.test(value))
      return 'must be written as browsers do, such as xn--bcher-kva.example for bücher.example'
  } else if (/[^\x21-\x7e]/.test(value) && value.isWellFormed()) return `must be percent-encoded: ${encodeURI(value)}`
  if (place === 'anywhere') return undefined
  const [texts, example] = form.begins
  const isPossible = (text: string) => value.startsWith(text) || (place === 'begin' && text.startsWith(value))
  if (texts.length > 0 && !texts.some(isPossible)) return `must begin with ${texts.join(' or ')}, such as ${example}`
  if (place === 'begin') return undefined
  if (ends && value.endsWith('/') && value !== '/') return `must not end with a slash: ${attribute} never does`
  const written = form.written(value)
  // Some browsers encode ^, and others leave it.
  if (written === value || value.includes('^')) return undefined
  return written === undefined
    ? `must be ${attribute === 'page.host' ? 'the name of a host without scheme, port and path' : 'an address'}, such as ${example}`
    : `must be written as browsers do: ${written}`
}
