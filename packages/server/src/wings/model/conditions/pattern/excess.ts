import type { Automaton, State } from './automaton.ts'

/** The maximum number of tries that a pattern can cost for each character of a text. */
export const maxTries = 256
const maxSteps = 20_000

/** What makes matching slower than linear, or too complex to check. */
export type Excess = { repetition: string } | 'choices'

/**
 * Whether a backtracking engine needs more than `maxTries` per character for some text. Simulates all texts at once:
 * after each character, it keeps the number of ways in which the engine can have reached each state. If these numbers
 * are bounded, the simulation ends and the time is linear. Otherwise one of them exceeds the limit (Weber and Seidl
 * 1991, "On the degree of ambiguity of finite automata").
 */
export function excessOf({ states, kinds }: Automaton): Excess | undefined {
  const tries = states.map(({ next, ends }) => [...next.values()].reduce((all, ways) => all + ways, ends))
  const seen = new Set<string>()
  const open: Counts[] = [[[0, 1]]]
  let heaviest: { tries: number; counts: Counts } = { tries: 0, counts: [] }
  let steps = 0
  for (let counts = open.pop(); counts; counts = open.pop()) {
    const all = counts.reduce((sum, [state, count]) => sum + count * tries[state]!, 0)
    if (all > heaviest.tries) heaviest = { tries: all, counts }
    if (all > maxTries || steps > maxSteps) return excessAt(states, heaviest.counts)
    const reached = follow(states, counts)
    for (let kind = 0; kind < kinds; kind += 1) {
      const following = reached.filter(([state]) => states[state]!.reads.has(kind))
      const key = following.join(' ')
      if (!seen.has(key)) open.push(following)
      seen.add(key)
      steps += 1 + following.length
    }
  }
  return undefined
}

/** States in order, each with the number of ways to reach it. */
type Counts = [state: number, count: number][]

function follow(states: State[], counts: Counts): Counts {
  const reached = new Map<number, number>()
  for (const [from, count] of counts)
    for (const [to, ways] of states[from]!.next) {
      const before = reached.get(to) ?? 0
      // Once the pattern matches, the engine only continues from the first way to this state. Nested repetitions are
      // still counted: `(a+)+` is harmless only until a letter is added after it.
      reached.set(to, states[to]!.isEnough && ways === 1 ? Math.max(before, 1) : before + count * ways)
    }
  return [...reached].sort(([one], [other]) => one - other)
}

/** The repetition in which most ways meet. If they meet outside repetitions, the cause is too many choices. */
function excessAt(states: State[], counts: Counts): Excess {
  const inRepetitions = counts.filter(([state, count]) => count > 1 && states[state]!.repetition !== undefined)
  if (inRepetitions.length === 0) return 'choices'
  const [worst] = inRepetitions.reduce((most, each) => (each[1] > most[1] ? each : most))
  return { repetition: states[worst]!.repetition! }
}
