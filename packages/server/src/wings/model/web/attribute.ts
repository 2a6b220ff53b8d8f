import { addressFault, quoted, srcsetFault } from './address.ts'
import { cssTokens } from './css-tokens.ts'
import { styleAttributeFault } from './style.ts'

export const maxAttributeNameLength = 100

/** Attributes whose value is an address, and what it may be used for. */
const addresses: Record<string, 'link' | 'image' | 'srcset'> = {
  href: 'link',
  cite: 'link',
  longdesc: 'link',
  src: 'image',
  poster: 'image',
  background: 'image',
  srcset: 'srcset',
  imagesrcset: 'srcset',
}

const runs = 'a framework of the page would run it as code'

/** Attributes that no change sets, with what to do instead. */
const refused: Record<string, string> = {
  srcdoc: 'it holds a whole page',
  action: 'the target of a form cannot be changed',
  formaction: 'the target of a form cannot be changed',
  ping: 'it reports clicks to another address',
  data: 'it loads a document',
  codebase: 'it changes other addresses',
  'xml:base': 'it changes other addresses',
  attributename: 'it decides what an animation changes',
  'http-equiv': 'it acts like a header of the page',
  nonce: 'it lets code pass the policy of the page',
  attributionsrc: 'it reports to another address',
  manifest: 'it loads a document',
  archive: 'it loads code',
  classid: 'it loads code',
  'data-bind': runs,
  'hx-vals': runs,
  'hx-trigger': runs,
  'data-hx-vals': runs,
  'data-hx-trigger': runs,
  _: runs,
}

/** Directives in which frameworks of pages run code. */
const directive = /^(?:v-|x-|(?:data-)?ng-|(?:data-)?hx-on)/
const script = /^(?:javascript|vbscript|livescript|mocha|data:text)/

/** The rule that the name of an attribute breaks; undefined if it breaks none. */
export function attributeNameFault(name: string): string | undefined {
  if (name.length > maxAttributeNameLength) return `must have at most ${maxAttributeNameLength} characters`
  if (!/^[a-z_][\w.:-]*$/i.test(name)) return 'must be the name of an attribute, such as href or data-id'
  const reason = refusalOf(name)
  return reason && `must not be ${name}: ${reason}`
}

/** Why no change sets an attribute; undefined if one can. */
export function refusalOf(name: string): string | undefined {
  const lower = name.toLowerCase()
  if (lower.startsWith('on')) return 'attributes that begin with on run code. Use the code of the variation'
  if (directive.test(lower)) return runs
  return Object.hasOwn(refused, lower) ? refused[lower] : undefined
}

/**
 * The rule that the value of an attribute breaks; undefined if it breaks none. In drawings (SVG), addresses can only
 * name a part of the same page.
 */
export function attributeValueFault(name: string, value: string, { isDrawing = false } = {}): string | undefined {
  const lower = name.toLowerCase()
  if (isDrawing && /(?:^|:)href$/.test(lower)) return /^#[^\s\p{Cc}]+$/u.test(value) ? undefined : onlyParts
  if (isDrawing && lower !== 'style' && hasForeignAddress(value)) return onlyParts
  if (lower === 'style') return styleAttributeFault(value)
  const use = Object.hasOwn(addresses, lower) ? addresses[lower] : lower.endsWith(':href') ? 'link' : undefined
  if (use === 'srcset') return srcsetFault(value)
  if (use !== undefined) return addressFault(value, use)
  // An animation sets one value after the other, also of an address.
  for (const each of lower === 'values' ? value.split(';') : [value])
    if (script.test(each.replace(/[\s\p{Cc}\p{Cf}]/gu, '').toLowerCase()) && /:/.test(each))
      return `must not begin with ${quoted(each.split(':')[0]!)}: it can run code`
  return /[^\P{Cc}\t\n\r]/u.test(value) ? 'must not contain control characters' : undefined
}

const onlyParts = 'must name a part of the same page, such as #icon'

function hasForeignAddress(value: string): boolean {
  if (!/url|\\/i.test(value)) return false
  return [...cssTokens(value)].some(
    ({ type, text, isEscaped }) => isEscaped || text === 'url(' || (type === 'url' && !text.startsWith('#')),
  )
}
