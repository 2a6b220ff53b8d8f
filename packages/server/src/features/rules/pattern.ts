import { RE2JS } from 're2js'

const maxPatternLength = 256
const maxUnboundedRepeats = 3
const maxRepeatCount = 100

/**
 * Why a `matches` pattern is refused, if it is. SDKs run it on a backtracking engine over at most 256 characters, so
 * beyond being RE2 it may not hold what such an engine takes exponential time for: a repeated group that itself holds
 * a repetition or alternatives. What is left is bounded by the number of its unbounded repetitions.
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
  repeats: boolean
  alternatives: boolean
}

function repeatFault(pattern: string): string | undefined {
  const open: OpenGroup[] = [{ repeats: false, alternatives: false }]
  let closed: OpenGroup | undefined
  let unbounded = 0
  for (const [token] of pattern.matchAll(
    /\\(?:[pP]\{[^}]*\}|.)|\[\^?(?:\\.|[^\]\\])*\]|\((?:\?[^)]*?:|\?P?<\w+>)?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu,
  )) {
    const group = open.at(-1)!
    const repeat = repeatOf(token)
    if (repeat) {
      if (closed?.repeats || closed?.alternatives) return 'A repeated group may not hold a repetition or alternatives.'
      if (repeat.count > maxRepeatCount) return `A count may be up to ${maxRepeatCount}.`
      if (repeat.unbounded) unbounded += 1
      group.repeats = true
      closed = undefined
    } else if (token === ')') {
      closed = open.pop()!
      const outer = open.at(-1)
      if (!outer) return 'The parentheses do not match.'
      outer.repeats ||= closed.repeats
      outer.alternatives ||= closed.alternatives
    } else {
      closed = undefined
      if (token.startsWith('(')) open.push({ repeats: false, alternatives: false })
      else if (token === '|') group.alternatives = true
    }
  }
  return unbounded > maxUnboundedRepeats
    ? `A pattern may have up to ${maxUnboundedRepeats} unbounded repetitions (* + {n,}).`
    : undefined
}

function repeatOf(token: string): { unbounded: boolean; count: number } | undefined {
  if (/^[*+]\??$/.test(token)) return { unbounded: true, count: 0 }
  if (/^\?\??$/.test(token)) return { unbounded: false, count: 1 }
  const counted = /^\{(\d+)(,(\d*))?\}\??$/.exec(token)
  if (!counted) return undefined
  const [, least = '0', comma, most] = counted
  return { unbounded: comma !== undefined && most === '', count: Number(most || least) }
}
