import { addressFault } from './address.ts'
import { cssTokens, openCss } from './css-tokens.ts'
import { placeOf } from './place.ts'

export const maxStyleValueLength = 1000
const maxPropertyLength = 100
export const maxCssLength = 20_000

/** A property as CSS writes it. Vendor prefixes and custom properties are allowed. */
export const propertyPattern = /^(?:--[A-Za-z0-9_-]+|-?[a-z][a-z0-9-]*)$/

/** Properties with which old browsers ran code. */
const refusedProperties = new Set(['behavior', '-ms-behavior', '-moz-binding'])

/** The rule that the name of a property breaks; undefined if it breaks none. */
export function propertyFault(property: string): string | undefined {
  if (property.length > maxPropertyLength) return `must have a name of at most ${maxPropertyLength} characters`
  if (refusedProperties.has(property.toLowerCase())) return 'is a property that can run code. Remove it'
  if (propertyPattern.test(property)) return undefined
  const meant = property
    .trim()
    .replace(/(?<=[a-z0-9])[A-Z]|^(?:Webkit|Moz|Ms)(?=[A-Z])/g, (part) =>
      part.length > 1 ? `-${part.toLowerCase()}` : `-${part.toLowerCase()}`,
    )
  const hint = propertyPattern.test(meant) && meant !== property ? `. Did you mean ${meant}?` : ''
  return `must be the name of a CSS property, such as background-color or --space${hint}`
}

/** Functions whose strings are addresses. */
const addressFunctions = new Set(['url(', 'src(', 'image-set(', '-webkit-image-set(', 'image('])
const refusedFunctions = new Set(['expression('])
/** What ends a value, and so could begin something else. */
const ending = new Set(['{', '}', ';'])

/**
 * The rule that a value of a CSS property breaks; undefined if it breaks none. A value cannot leave its declaration:
 * it has no `{`, `}` and `;` (except a `;` inside the address of a data image), and what it opens it closes.
 */
export function styleValueFault(value: string): string | undefined {
  if (value.trim() === '') return 'must not be empty'
  if (value.length > maxStyleValueLength && !/\bdata:image\//i.test(value))
    return `must have at most ${maxStyleValueLength} characters`
  if (value.length > maxCssLength) return `must have at most ${maxCssLength} characters`
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters or line breaks'
  if (value.includes('</')) return 'must not contain </'
  const open = openCss(value)
  if (open) return `must be complete: ${open.rule} (column ${open.at + 1})`
  const functions: string[] = []
  for (const { type, text, isEscaped } of cssTokens(value)) {
    if (isEscaped) return 'must not contain a backslash outside of quotes'
    if (type === 'close') functions.pop()
    if (type !== 'string' && type !== 'url' && ending.has(text)) return `must not contain ${text}`
    if (type === 'open') functions.push(text)
    const isAddress = type === 'url' || (type === 'string' && addressFunctions.has(functions.at(-1) ?? ''))
    const fault = isAddress ? addressInCssFault(text) : pieceFault(type, text)
    if (fault !== undefined) return fault
  }
  return undefined
}

function pieceFault(type: string, text: string): string | undefined {
  if (type === 'comment') return 'must not contain a comment'
  if (type === 'string') return /[{};]/.test(text) ? 'must not contain {, } or ; in quotes' : undefined
  if (type === 'open' && refusedFunctions.has(text)) return `must not contain ${text}: it can run code`
  return text === '!' ? 'must not contain !: Svc adds !important by itself' : undefined
}

function addressInCssFault(address: string): string | undefined {
  if (/[\\{}"'()]|\s/.test(address))
    return 'must have an address without spaces, quotes, brackets and backslashes in url()'
  const fault = addressFault(address, 'image')
  return fault && `has an address in url() that ${fault}`
}

/** The rule that the CSS of a variation breaks; undefined if it breaks none. It goes to the page as it is. */
export function cssFault(css: string): string | undefined {
  if (css.trim() === '') return 'must not be blank. Send null for no CSS'
  if (css.length > maxCssLength) return `must have at most ${maxCssLength} characters`
  if (/[^\P{Cc}\t\n\f\r]/u.test(css)) return 'must not contain control characters'
  const end = css.indexOf('</')
  if (end >= 0) return `must not contain </ (${placeOf(css, end)})`
  const open = openCss(css)
  return open && `must be complete: ${open.rule} (${placeOf(css, open.at)})`
}

/** The rule that a `style` attribute breaks; undefined if it breaks none. */
export function styleAttributeFault(style: string): string | undefined {
  const open = openCss(style)
  if (open) return `must be complete: ${open.rule} (column ${open.at + 1})`
  for (const declaration of declarationsOf(style)) {
    const colon = declaration.indexOf(':')
    if (colon < 0) return `must be declarations such as color: red, and ${declaration.trim()} has no colon`
    const property = declaration.slice(0, colon).trim()
    const value = declaration.slice(colon + 1).replace(/!\s*important\s*$/i, '')
    const fault = propertyFault(property) ?? styleValueFault(value.trim())
    if (fault !== undefined) return `has the property ${property}, which ${fault}`
  }
  return undefined
}

/** The declarations of a `style` attribute, as they are written. */
function declarationsOf(style: string): string[] {
  const ends: number[] = []
  let depth = 0
  for (const { type, text, at } of cssTokens(style)) {
    if (type === 'open') depth += 1
    else if (type === 'close') depth -= 1
    else if (text === ';' && depth === 0) ends.push(at)
  }
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts.map((start, index) => style.slice(start, ends[index])).filter((text) => text.trim() !== '')
}
