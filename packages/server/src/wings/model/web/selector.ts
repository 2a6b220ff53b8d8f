import { createRequire } from 'node:module'
import type { Selector } from 'css-what'
import { z } from 'zod'

export const maxSelectorLength = 500

/** Loaded with the first selector, like the other parsers: many services never need it. */
const require = createRequire(import.meta.url)
const cssWhat = () => require('css-what') as typeof import('css-what')

/** Pseudo-classes that browsers know in a selector, without arguments. */
const pseudoClasses = new Set(
  `active any-link autofill checked default defined disabled empty enabled first-child first-of-type focus
   focus-visible focus-within fullscreen hover in-range indeterminate invalid last-child last-of-type link
   modal only-child only-of-type open optional out-of-range placeholder-shown popover-open read-only
   read-write required root scope target user-invalid user-valid valid visited`.split(/\s+/),
)
/** Pseudo-classes whose arguments are selectors. */
const withSelectors = new Set(['not', 'is', 'where', 'has'])
const withPosition = new Set(['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type'])
const position = /^\s*(?:even|odd|[+-]?\d+|[+-]?\d*n(?:\s*[+-]\s*\d+)?)\s*$/i
const combinators = new Set(['child', 'descendant', 'adjacent', 'sibling'])

/**
 * The rule that a selector breaks; undefined if it breaks none. The parser is more lenient than browsers, where one bad
 * selector makes a whole rule of CSS ineffective, so names and arguments are checked besides.
 */
export function selectorFault(selector: string): string | undefined {
  if (selector.trim() === '') return 'must not be empty'
  if (selector.length > maxSelectorLength) return `must have at most ${maxSelectorLength} characters`
  if (selector !== selector.trim()) return 'must not begin or end with a space'
  if (/\p{Cc}/u.test(selector)) return 'must not contain line breaks or control characters'
  const parsed = parsedSelector(selector)
  if (typeof parsed === 'string') return `must be a CSS selector: ${parsed}`
  const fault = writtenFault(selector) ?? listFault(parsed, { isRelative: false })
  return fault && `must be a CSS selector: ${fault}`
}

/** The alternatives of a selector, or why it is none. */
export function parsedSelector(selector: string): Selector[][] | string {
  try {
    return cssWhat().parse(selector)
  } catch (fault) {
    return wordsOf((fault as Error).message)
  }
}

/** What the parser says, for people. */
function wordsOf(message: string): string {
  const [, rest] = /^Expected name, found (.*)$/s.exec(message) ?? []
  if (rest === '') return 'it ends where a name must follow'
  const [mark] = /^(?:::|[.#:|])/.exec(rest ?? '') ?? []
  if (rest !== undefined)
    return mark ? `a name must follow ${mark}` : `it has ${rest.charAt(0)} where a name must follow`
  if (message.startsWith('Attribute selector')) return 'a [ has no ]'
  if (/parenthesis/i.test(message)) return 'a ( has no )'
  const [first = ''] = message.split('\n')
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}`.replace(/\.$/, '')
}

/** What can be seen only in the text: parsing removes quotes and escapes. */
function writtenFault(selector: string): string | undefined {
  if (selector.includes('</')) return 'it has </'
  const plain = selector
    .replace(/\\(?:[\da-f]{1,6}\s?|.)/giu, 'x')
    .replace(/"[^"]*"|'[^']*'/g, '""')
    .replace(/\b(nth-[a-z-]+\()[^)]*/gi, '$1')
  if (plain.includes('/*')) return 'it has a comment'
  if (plain.includes('!=')) return 'browsers do not know !=. Write :not([name="value"])'
  if (/=\s*\]/.test(plain)) return 'an attribute has no value after ='
  if (/=\s*(?:-?\d|[^"\s\]]*[^\w\u0080-\uffff"\s\]-])/.test(plain)) return 'put the value of the attribute in quotes'
  const [odd] = /[^\w\u0080-\uffff.#[\]="^$*~|>+:(),\s-]/.exec(plain) ?? []
  if (odd !== undefined) return `${odd} must be written as \\${odd}`
  if (!isBalanced(plain) || /(?<!:[\w-]+)\(/.test(plain)) return 'a bracket is not in its place'
  if (/(?:^|[\s>+~,(.#:[])-(?![\w\u0080-\uffff-])/.test(plain)) return 'a name cannot be a single hyphen'
  if (/(?:^|[\s>+~,(.#:[])-?\d/.test(plain)) return 'a name cannot begin with a digit. Write 1 as \\31 and a space'
  return undefined
}

function isBalanced(plain: string): boolean {
  let depth = 0
  for (const character of plain) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

function listFault(list: readonly Selector[][], place: { isRelative: boolean }): string | undefined {
  if (list.length === 0) return 'it is empty'
  for (const steps of list) {
    const fault = stepsFault(steps, place)
    if (fault !== undefined) return fault
  }
  return undefined
}

function stepsFault(steps: readonly Selector[], { isRelative }: { isRelative: boolean }): string | undefined {
  if (isCombinator(steps.at(-1))) return 'it ends with a combinator'
  if (!isRelative && isCombinator(steps[0])) return 'it begins with a combinator'
  for (const [index, step] of steps.entries()) {
    const begins = index === 0 || isCombinator(steps[index - 1])
    const fault = stepFault(step, begins)
    if (fault !== undefined) return fault
  }
  return undefined
}

const isCombinator = (step: Selector | undefined): boolean =>
  step !== undefined && !['attribute', 'pseudo', 'pseudo-element', 'tag', 'universal'].includes(step.type)

function stepFault(step: Selector, begins: boolean): string | undefined {
  if (step.type === 'pseudo-element') return `it has the pseudo-element ::${step.name}, which no change can act on`
  if (step.type === 'pseudo') return pseudoFault(step.name, step.data)
  if (step.type === 'attribute') return step.namespace === null ? undefined : 'it has a namespace'
  if (step.type === 'tag' || step.type === 'universal') {
    if (step.namespace !== null) return 'it has a namespace'
    const name = step.type === 'tag' ? step.name : '*'
    if (!/^[a-z*]/i.test(name)) return `no element has the name ${name}`
    return begins ? undefined : `${name} must be the first part of its element`
  }
  return combinators.has(step.type) ? undefined : 'it has a combinator that browsers do not know'
}

function pseudoFault(name: string, data: Selector[][] | string | null): string | undefined {
  if (withSelectors.has(name)) {
    if (!Array.isArray(data)) return `:${name} needs a selector in brackets`
    return listFault(data, { isRelative: name === 'has' })
  }
  if (withPosition.has(name))
    return typeof data === 'string' && position.test(data) ? undefined : `:${name} needs a position such as 2 or 2n+1`
  if (name === 'lang' || name === 'dir')
    return typeof data === 'string' && /^[\w-]+$/.test(data) ? undefined : `:${name} needs a value in brackets`
  if (!pseudoClasses.has(name)) return `browsers do not know :${name}`
  return data === null ? undefined : `:${name} takes nothing in brackets`
}

/** The names of the elements that a selector can find, as far as it says: the last part of each of its alternatives. */
export function subjectsOf(selector: string): string[] {
  const parsed = parsedSelector(selector)
  return typeof parsed === 'string' ? [] : subjectsIn(parsed)
}

const subjectsIn = (list: readonly Selector[][]): string[] =>
  list.flatMap((steps) =>
    steps.slice(steps.findLastIndex(isCombinator) + 1).flatMap((step) => {
      if (step.type === 'tag') return [step.name.toLowerCase()]
      if (step.type === 'pseudo' && (step.name === 'root' || step.name === 'scope')) return ['html']
      const isAlternative = step.type === 'pseudo' && (step.name === 'is' || step.name === 'where')
      return isAlternative && Array.isArray(step.data) ? subjectsIn(step.data) : []
    }),
  )

/** A selector as a field of a request. */
export const selectorField = z
  .string()
  .superRefine((selector, context) => {
    const message = selectorFault(selector)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({
    minLength: 1,
    maxLength: maxSelectorLength,
    description: 'A CSS selector without pseudo-elements. The change acts on every element that it finds.',
    examples: ['h1', 'main a.cta[href="/sign-up"]'],
  })
