/** A piece of CSS. `url` is an address without quotes; with quotes, it is the function `url(` and a string. */
export interface CssToken {
  type: 'string' | 'comment' | 'url' | 'word' | 'open' | 'close' | 'character'
  /** The content of a string or an address, the name of a function with its bracket, or the piece as it is written. */
  text: string
  at: number
  /** False for a string, a comment or an address that does not end. */
  ends: boolean
  /** Whether a name is written with a backslash, which can hide it. */
  isEscaped?: boolean
}

type Found = CssToken & { next: number }

/** The pieces of CSS in which text cannot hide. What is neither a string, comment, name nor bracket is a character. */
export function* cssTokens(css: string): Generator<CssToken> {
  for (let at = 0; at < css.length; ) {
    const token = tokenAt(css, at)
    yield token
    at = token.next
  }
}

function tokenAt(css: string, at: number): Found {
  const character = css[at]!
  if (character === '"' || character === "'") return stringAt(css, at, character)
  if (css.startsWith('/*', at)) {
    const end = css.indexOf('*/', at + 2)
    const next = end < 0 ? css.length : end + 2
    return { type: 'comment', text: css.slice(at, next), at, ends: end >= 0, next }
  }
  word.lastIndex = at
  const [written] = word.exec(css) ?? []
  if (written !== undefined) return wordAt(css, at, written)
  const type = '([{'.includes(character) ? 'open' : ')]}'.includes(character) ? 'close' : 'character'
  return { type, text: character, at, ends: true, next: at + 1 }
}

function stringAt(css: string, at: number, quote: string): Found {
  for (let end = at + 1; end < css.length; end += 1) {
    if (css[end] === '\\') end += 1
    else if (css[end] === quote) return { type: 'string', text: css.slice(at + 1, end), at, ends: true, next: end + 1 }
    else if (/[\n\r\f]/.test(css[end]!)) break
  }
  return { type: 'string', text: css.slice(at + 1), at, ends: false, next: css.length }
}

/** A name or a number, with escaped characters as a part of it. */
const word = /(?:[\w\u0080-\uffff-]|\\(?:[\da-f]{1,6}\s?|[^\n\r\f\da-f]|$))+/giy

/** A name, or a function with its bracket, or an address without quotes. */
function wordAt(css: string, at: number, written: string): Found {
  const end = at + written.length
  const escaped = written.includes('\\') ? { isEscaped: true } : {}
  if (css[end] !== '(') return { type: 'word', text: written, at, ends: true, next: end, ...escaped }
  const name = unescaped(written).toLowerCase()
  const open: Found = { type: 'open', text: `${name}(`, at, ends: true, next: end + 1, ...escaped }
  if (name !== 'url') return open
  let start = end + 1
  while (start < css.length && /\s/.test(css[start]!)) start += 1
  if (css[start] === '"' || css[start] === "'") return open
  let close = start
  while (close < css.length && css[close] !== ')') close += css[close] === '\\' ? 2 : 1
  const text = css.slice(start, close).trim()
  return { type: 'url', text, at, ends: close < css.length, next: Math.min(close + 1, css.length), ...escaped }
}

const unescaped = (written: string): string =>
  written.replace(/\\(?:([\da-f]{1,6})\s?|(.))/giu, (_escape, hex?: string, character = '') => {
    const code = hex === undefined ? undefined : Number.parseInt(hex, 16)
    return code === undefined ? character : code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** What is not complete in CSS, with its place; undefined if each string, comment and bracket ends. */
export function openCss(css: string): { at: number; rule: string } | undefined {
  const open: { text: string; at: number }[] = []
  for (const { type, text, at, ends } of cssTokens(css)) {
    if (!ends) return { at, rule: `a ${type === 'url' ? 'url(' : type} does not end` }
    if (type === 'open') open.push({ text: text.at(-1)!, at })
    if (type !== 'close') continue
    const last = open.pop()
    if (!last || closing[last.text] !== text) return { at, rule: `${text} closes nothing` }
  }
  const [first] = open
  return first && { at: first.at, rule: `${first.text} is not closed` }
}
