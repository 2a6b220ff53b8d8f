import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { searchedPattern } from '@svc/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxTries } from './excess.ts'
import { patternFault } from './fault.ts'

const parser = new RegExpParser({ ecmaVersion: 2018 })

/**
 * Counts how often a plain backtracking engine looks at a character or at the end of the text before it has a result.
 * It walks the pattern and is independent of the automaton. Stops counting at `limit`.
 */
function triesOf(source: string, flags: 'u' | 'iu', text: string, limit = Infinity): number {
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: true })
  const readers = new Map<string, RegExp>()
  let tries = 0

  type Next = (at: number) => boolean
  function run(node: AST.Pattern | AST.Alternative | AST.Element, at: number, next: Next): boolean {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.some((alternative) => run(alternative, at, next))
      case 'Alternative':
        return inOrder(node.elements, at, next)
      case 'Quantifier':
        return repeat(node, 0, at, next)
      case 'Assertion':
        return reader(node.raw, 'y').exec(moved(node.raw, at)) !== null && next(at)
      default:
        tries += 1
        return tries <= limit && at < text.length && reader(`^(?:${node.raw})$`).test(text[at]!) && next(at + 1)
    }
  }

  function inOrder([first, ...rest]: AST.Element[], at: number, next: Next): boolean {
    return first ? run(first, at, (then) => inOrder(rest, then, next)) : next(at)
  }

  function repeat(node: AST.Quantifier, done: number, at: number, next: Next): boolean {
    const again = () => done < node.max && run(node.element, at, (then) => repeat(node, done + 1, then, next))
    if (done < node.min) return again()
    return node.greedy ? again() || next(at) : next(at) || again()
  }

  function reader(raw: string, extra = ''): RegExp {
    const known = readers.get(raw) ?? new RegExp(raw, flags + extra)
    readers.set(raw, known)
    return known
  }

  function moved(raw: string, at: number): string {
    reader(raw, 'y').lastIndex = at
    return text
  }

  const ends = () => {
    tries += 1
    return true
  }
  for (let start = 0; start <= text.length && tries <= limit; start += 1) {
    // The search continues at the next start.
    tries += 1
    if (run(pattern, start, ends)) return tries
  }
  return tries
}

const atom = fc.constantFrom(
  'a',
  'A',
  'b',
  '-',
  '.',
  '[ab]',
  '[^a]',
  '[^-]',
  '\\w',
  '\\W',
  '(?:ab)',
  '(?:a|b)',
  '(?:a|ab|)',
)
const count = fc.constantFrom('', '', '?', '*', '+', '*?', '+?', '{2}', '{0,3}', '{2,}')
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(atom, count).map(([what, times]) => what + times) },
  { weight: 1, arbitrary: fc.constantFrom('^', '$', '|', '\\b') },
)
const run = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const group = fc.tuple(run, count).map(([inside, times]) => `(?:${inside})${times}`)
const pattern = fc
  .tuple(
    fc.constantFrom('', '^', '^', '.*'),
    fc.array(fc.oneof(run, group), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '$', 'c'),
  )
  .map(([begin, parts, end]) => begin + parts.join('') + end)

/** A repeated unit with an ending that allows a match or prevents it. */
const text = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '\n'), minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '!', '\n', 'c'),
  )
  .map(([unit, end]) => unit.repeat(100).slice(0, 100 - end.length) + end)

test('an accepted pattern takes a bounded number of tries per character for any text', () => {
  let accepted = 0
  fc.assert(
    fc.property(
      pattern,
      fc.boolean(),
      fc.array(text, { minLength: 1, maxLength: 4 }),
      (source, caseSensitive, texts) => {
        if (patternFault(source, caseSensitive) !== undefined) return
        accepted += 1
        const searched = searchedPattern(source)
        for (const each of texts) {
          const limit = maxTries * (each.length + 1)
          expect(triesOf(searched, caseSensitive ? 'u' : 'iu', each, limit)).toBeLessThanOrEqual(limit)
        }
      },
    ),
    { numRuns: 3_000 },
  )
  expect(accepted).toBeGreaterThan(300)
})

test.each([
  ['\\d+-x', '1'],
  ['^.*foo.*bar', 'foo'],
  ['^(?:[ab]*[ab]*c|a)', 'ab'],
  ['^(?:a(?:[ab]*c)?)*', 'a'],
])('%s is refused, and a run of %s that is twice as long takes more than twice as many tries', (source, unit) => {
  const tries = (length: number) => triesOf(source, 'u', `${unit.repeat(length).slice(0, length - 1)}!`, 1_000_000)
  expect(patternFault(source, true)).toBeDefined()
  expect(tries(400)).toBeGreaterThan(3 * tries(200))
})
