import { type Amount, doubtAbout, isCurrency, parseAmount, pointed, printAmount } from './money.ts'

/** Longer texts are not amounts, and nobody knows what was meant. */
const maxLength = 40

const mark = "[ '’]"
const ofThousands = [
  new RegExp(`^\\d{1,3}(?:${mark}\\d{3})+(?:[.,]\\d+)?$`),
  /^\d{1,3}(?:\.\d{3}){2,}$/,
  /^\d{1,3}(?:,\d{3}){2,}$/,
  // As in India.
  /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/,
]

/** The signs of currencies and the words that shops write instead of a code. */
const sign = /^(?:[a-z]{0,3}\p{Sc}|kr\.?|zł|kč|ft|lei|fr\.?)$/iu

/** What makes a text clearer, and how it is told. Each sees what those before it have left. */
const steps: readonly [how: string, step: (text: string) => string][] = [
  ['with the digits 0 to 9', ascii],
  ['without its currency, whose code has a field of its own', withoutCurrency],
  ['without marks between thousands', withoutMarks],
  ['without a sign', (text) => text.replace(/^(?:\+|-(?=0*(?:[.,]0*)?$))/, '')],
  ['without an exponent', (text) => (/^\d{1,10}(?:\.\d{1,10})?e\+?\d{1,2}$/i.test(text) ? String(Number(text)) : text)],
  ['with digits around its point', completed],
  ['with a point before its decimals', (text) => pointed(text).replace(/^(\d+),(\d+)$/, '$1.$2')],
]

/**
 * How to write the amount that a text of a shop means, as a sentence; null if that is not clear. It is for texts that
 * were refused, and for those that can be two amounts.
 */
export function howToWrite(text: string, of: { currency: string | null; most?: Amount | undefined }): string | null {
  if (text.length > maxLength) return null
  let [clear, reason] = [text.trim().replace(/[\u00a0\u2009\u202f]/g, ' '), '']
  for (const [how, step] of steps) {
    const doubt = doubtAbout(clear, of)
    if (doubt !== null) return doubt
    const next = step(clear)
    if (next !== clear) reason ||= how
    clear = next
  }
  const parsed = reason === '' ? undefined : parseAmount(clear)
  return parsed && !parsed.isRounded ? `Must be written as ${printAmount(parsed.amount)}, ${reason}.` : null
}

/** Wide digits and spaces that do not break are written by some keyboards, and Arabic digits in many shops. */
function ascii(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .replace(/[\uff0c\uff0e\uff10-\uff19]/g, (wide) => wide.normalize('NFKC'))
}

/** An amount has one currency, before or behind it. */
function withoutCurrency(text: string): string {
  const [, before = '', amount = '', behind = ''] = /^([^\d.,+-]*)([\d.,+-].*?)([^\d.,–-]*\.?)$/u.exec(text) ?? []
  const said = `${before}${behind}`.trim()
  return sign.test(said) || isCurrency(said.toUpperCase()) ? amount.trim() : text
}

function withoutMarks(text: string): string {
  if (!ofThousands.some((form) => form.test(text))) return text
  const decimals = /[.,]\d+$/.exec(text)?.[0] ?? ''
  // Of several marks of one kind, the last divides thousands, too.
  if (decimals === '' || text.split(decimals.charAt(0)).length > 2) return text.replace(/\D/g, '')
  return `${text.slice(0, -decimals.length).replace(/\D/g, '')}${decimals.replace(',', '.')}`
}

/** `.5`, `12.`, and the `12,-` of prices without decimals. */
function completed(text: string): string {
  return text.replace(/^(?=[.,]\d)/, '0').replace(/(?<=^\d+)[.,](?:--?|–)?$/, '')
}
