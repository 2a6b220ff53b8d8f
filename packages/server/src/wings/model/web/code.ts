import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { placeOf } from './place.ts'

export const maxCodeLength = 50_000

/** Loaded with the first code, because few services have any. */
const require = createRequire(import.meta.url)
const acorn = () => require('acorn') as typeof import('acorn')

/**
 * The rule that the code of a variation breaks; undefined if it breaks none. It is read as the body of a function with
 * the parameter `svc`, in the JavaScript of 2022, and never run.
 */
export function codeFault(code: string): string | undefined {
  if (code.trim() === '') return 'must not be blank. Send null for no code'
  if (code.length > maxCodeLength) return `must have at most ${maxCodeLength} characters`
  if (code.includes('\0')) return 'must not contain the character NUL'
  if (!code.isWellFormed()) return 'must not contain half of a character'
  const script = /<\/script|<!--/i.exec(code)
  if (script)
    return `must not contain ${script[0]}, because the script can be part of a page (${placeOf(code, script.index)})`
  // Read alone, so that it cannot close its function; then inside of it, where it cannot declare the parameter again.
  return syntaxFault(code, code, 0) ?? syntaxFault(`${before}${code}${after}`, code, before.length)
}

/** Tells two texts of code apart: the beginning of their SHA-256. */
export const codeVersion = (code: string): string => hash('sha256', code).slice(0, 8)

const tooDeep = 'must not be nested so deeply'

const before = '(function (svc) {\n'
const after = '\n})'

function syntaxFault(text: string, code: string, offset: number): string | undefined {
  try {
    acorn().parse(text, { ecmaVersion: 2022, sourceType: 'script', allowReturnOutsideFunction: true })
    return undefined
  } catch (fault) {
    if (fault instanceof RangeError) return tooDeep
    if (!(fault instanceof SyntaxError) || !('pos' in fault)) throw fault
    if (fault.message.startsWith('Not enough stack space')) return tooDeep
    const at = Math.min(Math.max(Number(fault.pos) - offset, 0), code.length)
    const what = fault.message.replace(/ \(\d+:\d+\)$/, '')
    return `must be JavaScript of ES2022, as the body of a function: ${what.charAt(0).toLowerCase()}${what.slice(1)} (${placeOf(code, at)})`
  }
}
