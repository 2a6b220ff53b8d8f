import { RE2JS } from 're2js'

const maxPatternLength = 256
const maxMatchedLength = 256
const maxRepeatCount = 100
const maxPaths = 100_000

/**
 * Why a `matches` pattern is refused, if it is. SDKs run it on a backtracking engine over at most 256 characters, so
 * beyond being RE2 it may not hold what such an engine takes too long for: a repeated group that itself holds a
 * repetition or alternatives, or so many choices one after the other that their product exceeds the limit. The product
 * counts every way in which the engine can try the pattern, so no text makes it try more of them.
 */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `A pattern may have up to ${maxPatternLength} characters.`
  try {
    RE2JS.compile(pattern)
    new RegExp(pattern, 'u')
  } catch {
    return 'This is no regular expression of the RE2 syntax.'
  }
  return repeatFault(pattern)
}

/** One group that is open at this point of the pattern: what it holds so far. */
interface OpenGroup {
  /** How many alternatives the group itself has. */
  branches: number
  /** Whether it, or a group in it, repeats or has alternatives. */
  repeats: boolean
  branching: boolean
}

const opened = (): OpenGroup => ({ branches: 1, repeats: false, branching: false })

const token =
  /\\(?:[pP]\{[^}]*\}|x[\da-fA-F]{2}|.)|\[\^?(?:\\.|[^\]\\])*\]|\((?:\?P?<\w+>|\?[\w-]*:)?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu

function repeatFault(pattern: string): string | undefined {
  const top = opened()
  const open = [top]
  let closed: OpenGroup | undefined
  let unbounded = 0
  let choices = 1
  const texts = [...pattern.matchAll(token)].map(([text]) => text)
  for (const [index, text] of texts.entries()) {
    const group = open.at(-1)!
    const repeat = repeatOf(text)
    if (repeat) {
      if (closed?.repeats || closed?.branching) return 'A repeated group may not hold a repetition or alternatives.'
      if (repeat.count > maxRepeatCount) return `A count may be up to ${maxRepeatCount}.`
      if (!endsInOnePlace(texts, index)) {
        if (repeat.unbounded) unbounded += 1
        choices *= repeat.choices
      }
      group.repeats = true
      closed = undefined
    } else if (text === ')') {
      closed = open.pop()!
      const outer = open.at(-1)
      if (!outer) return 'The parentheses do not match.'
      choices *= closed.branches
      outer.repeats ||= closed.repeats
      outer.branching ||= closed.branching
    } else {
      closed = undefined
      if (text.startsWith('(')) open.push(opened())
      else if (text === '|') {
        group.branches += 1
        group.branching = true
      }
    }
  }
  const anchored = pattern.startsWith('^') && top.branches === 1
  const paths = choices * top.branches * splits(anchored ? unbounded : unbounded + 1)
  return paths > maxPaths
    ? 'The pattern could take too long. Begin it with ^, or use fewer of * + ? { } and |.'
    : undefined
}

/**
 * A repetition of one character or class before a character that is none of its own, such as `[^@]+@`: whatever the
 * text, what follows can go on from one place only, the end of the run.
 */
function endsInOnePlace(texts: string[], at: number): boolean {
  const repeated = texts[at - 1]!
  const next = texts.slice(at + 1).find((text) => text !== ')')
  const literal = next && /^(?:\\[^\w\s]|[^\\[.^$|()*+?{}])$/u.test(next) ? next : undefined
  if (repeated === ')' || literal === undefined) return false
  const after = texts[texts.indexOf(literal, at + 1) + 1]
  const isOptional = after !== undefined && /^(?:[*?]|\{0+[,}])/.test(after)
  const character = literal.replace('\\', '')
  const spellings = [character, character.toLowerCase(), character.toUpperCase()]
  return !isOptional && ['u', 'iu'].every((flags) => !spellings.some((each) => new RegExp(repeated, flags).test(each)))
}

/** In how many ways the text divides between so many repetitions, the search for a start being one of them. */
function splits(repetitions: number): number {
  let ways = 1
  for (let each = 1; each <= repetitions; each += 1) ways = (ways * (maxMatchedLength + each)) / each
  return ways
}

interface Repeat {
  unbounded: boolean
  /** The most repetitions that are spelled out. */
  count: number
  /** What trying them multiplies the work by, beyond what an unbounded one adds. */
  choices: number
}

function repeatOf(text: string): Repeat | undefined {
  if (/^[*+]\??$/.test(text)) return { unbounded: true, count: 0, choices: 1 }
  if (/^\?\??$/.test(text)) return { unbounded: false, count: 1, choices: 2 }
  const counted = /^\{(\d+)(,(\d*))?\}\??$/.exec(text)
  if (!counted) return undefined
  const [, least = '0', comma, most] = counted
  const count = Number(most || least)
  const unbounded = comma !== undefined && most === ''
  return { unbounded, count, choices: (count - Number(least) + 1) * Math.max(1, count) }
}
