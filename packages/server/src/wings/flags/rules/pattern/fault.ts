import { createRequire } from 'node:module'
import type { AST } from '@eslint-community/regexpp'
import { searchedPattern } from '@svc/core'
import { automatonOf, emptyRepetitionIn, sizeOf } from './automaton.ts'
import type { ReadCharacters } from './characters.ts'
import { excessOf } from './excess.ts'

const maxLength = 256
const maxSize = 256

/**
 * Why a `matches` pattern is refused, if it is. SDKs run it on an engine that backtracks, so beyond being RE2 it has to
 * be one that such an engine matches in linear time, whatever the text: `excessOf` says how that is found out.
 */
export function patternFault(pattern: string, caseSensitive: boolean): string | undefined {
  if (pattern.length > maxLength) return `A pattern may have up to ${maxLength} characters.`
  const searched = searchedPattern(pattern)
  const parsed = parse(searched)
  if (!parsed) return noPattern
  if (hasInnerBoundary(pattern)) return innerBoundary
  if (sizeOf(parsed) > maxSize) return `With its counts written out, a pattern may have up to ${maxSize} characters.`
  if (!isRe2(pattern)) return noPattern
  const empty = emptyRepetitionIn(parsed)
  if (empty !== undefined) return `${empty} repeats what may be nothing.`
  const excess = excessOf(automatonOf(parsed, characterReader(parsed, !caseSensitive)))
  if (!excess) return undefined
  if (excess === 'choices') return 'The pattern leaves too many choices one after the other: use fewer of ? { } and |.'
  const { alternatives } = parsed
  const all = alternatives.length > 1 ? 'each alternative' : 'the pattern'
  const tie = alternatives.every(beginsTied) ? 'Let' : `Begin ${all} with ^, or let`
  return `The pattern could take more than linear time: ${excess.repetition} can divide one text in ever more ways. ${tie} what follows a repetition be something that it cannot match.`
}

const beginsTied = ({ elements: [first] }: AST.Alternative): boolean =>
  first?.type === 'Assertion' && first.kind === 'start'

// A valid pattern has `\B` outside of classes alone, so no more than escaped backslashes have to be told from it.
const hasInnerBoundary = (pattern: string): boolean => pattern.replaceAll('\\\\', '').includes('\\B')

const innerBoundary =
  '\\B is not supported: engines disagree on it inside characters such as emoji. Use \\b, or name the characters.'

const noPattern = 'This is no regular expression of the syntax that RE2 and ECMAScript have in common.'

/** What reads patterns takes a while to load, and few services ever see one. */
const require = createRequire(import.meta.url)
const regexpp = () => require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp')
const refa = () => require('refa') as typeof import('refa')
const re2js = () => require('re2js') as typeof import('re2js')

/** As of 2018: browsers that people still use know no later syntax. */
function parse(pattern: string): AST.Pattern | undefined {
  try {
    const { RegExpParser } = regexpp()
    return new RegExpParser({ ecmaVersion: 2018 }).parsePattern(pattern, 0, pattern.length, { unicode: true })
  } catch {
    return undefined
  }
}

function isRe2(pattern: string): boolean {
  try {
    re2js().RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}

function characterReader(pattern: AST.Pattern, ignoreCase: boolean): ReadCharacters {
  const { CharSet, JS } = refa()
  const flags = new (regexpp().RegExpParser)().parseFlags(ignoreCase ? 'iu' : 'u')
  const parser = JS.Parser.fromAst({ pattern, flags })
  const nothing = CharSet.empty(lastCharacter)
  const beyondAscii = CharSet.fromRange(lastCharacter, { min: 0x80, max: lastCharacter })
  return (element) => {
    // A class that holds nothing is left out of what the library reads.
    const [read] = parser.parseElement(element as AST.Character).expression.alternatives[0]?.elements ?? []
    if (read && read.type !== 'CharacterClass') throw new TypeError(`${element.raw} reads no single character`)
    const characters = read?.characters ?? nothing
    return dependsOnUnicode(element.raw, ignoreCase) ? characters.union(beyondAscii) : characters
  }
}

const lastCharacter = 0x10ffff

/**
 * Engines know different versions of Unicode, which add letters and other cases of old ones, also to what was empty. So
 * of what depends on them, only ASCII is taken at its word: beyond, the element may read anything.
 */
const dependsOnUnicode = (raw: string, ignoreCase: boolean): boolean =>
  /\\p/i.test(raw) || (ignoreCase && /[^\x00-\x7f]/.test(raw))
