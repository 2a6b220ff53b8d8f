import { createRequire } from 'node:module'
import type { AST } from '@eslint-community/regexpp'
import { searchedPattern } from '@svc/core'
import { automatonOf, emptyRepetitionIn, sizeOf } from './automaton.ts'
import type { ReadCharacters } from './characters.ts'
import { excessOf } from './excess.ts'

const maxLength = 256
const maxSize = 256

/**
 * The rule that a `matches` pattern breaks; undefined if it is accepted. SDKs run patterns on backtracking engines, so
 * a pattern must be valid in RE2 and match in linear time for any text. `excessOf` explains how the time is checked.
 */
export function patternFault(pattern: string, caseSensitive: boolean): string | undefined {
  if (pattern.length > maxLength) return `must have at most ${maxLength} characters.`
  const searched = searchedPattern(pattern)
  const parsed = parse(searched)
  if (!parsed) return noPattern
  if (hasInnerBoundary(pattern)) return innerBoundary
  if (sizeOf(parsed) > maxSize) return `must have at most ${maxSize} characters when its counts are written out.`
  if (!isRe2(pattern)) return noPattern
  const empty = emptyRepetitionIn(parsed)
  if (empty !== undefined) return `must not repeat a part that can be empty: ${empty}.`
  const excess = excessOf(automatonOf(parsed, characterReader(parsed, !caseSensitive)))
  if (!excess) return undefined
  if (excess === 'choices') return 'must not have so many choices in a row: use fewer of ? { } and |.'
  const { alternatives } = parsed
  const all = alternatives.length > 1 ? 'each alternative' : 'the pattern'
  const tie = alternatives.every(beginsTied) ? 'Make' : `Begin ${all} with ^, or make`
  return `must match in linear time, but ${excess.repetition} can divide a text in too many ways. ${tie} sure that no repetition can match what follows it.`
}

const beginsTied = ({ elements: [first] }: AST.Alternative): boolean =>
  first?.type === 'Assertion' && first.kind === 'start'

// A valid pattern has `\B` only outside of classes, so only escaped backslashes must be removed before the search.
const hasInnerBoundary = (pattern: string): boolean => pattern.replaceAll('\\\\', '').includes('\\B')

const innerBoundary =
  'must not contain \\B: engines disagree on it inside characters such as emoji. Use \\b, or name the characters.'

const noPattern = 'must be a regular expression in the syntax that RE2 and ECMAScript share.'

/** Loaded with the first pattern: these libraries load slowly, and many services never need them. */
const require = createRequire(import.meta.url)
const regexpp = () => require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp')
const refa = () => require('refa') as typeof import('refa')
const re2js = () => require('re2js') as typeof import('re2js')

/** Syntax of 2018, because browsers that are still in use support nothing later. */
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
    // The library omits an empty class from its result.
    const [read] = parser.parseElement(element as AST.Character).expression.alternatives[0]?.elements ?? []
    if (read && read.type !== 'CharacterClass') throw new TypeError(`${element.raw} does not read a single character`)
    const characters = read?.characters ?? nothing
    return dependsOnUnicode(element.raw, ignoreCase) ? characters.union(beyondAscii) : characters
  }
}

const lastCharacter = 0x10ffff

/**
 * Engines have different versions of Unicode, which add letters and change the case of old ones. So for elements that
 * depend on the version, only ASCII is taken as exact: beyond it, they may read any character.
 */
const dependsOnUnicode = (raw: string, ignoreCase: boolean): boolean =>
  /\\p/i.test(raw) || (ignoreCase && /[^\x00-\x7f]/.test(raw))
