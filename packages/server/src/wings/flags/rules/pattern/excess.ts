import type { Automaton, State } from './automaton.ts'

/** The most tries for a character of the text that a pattern may ever cost. */
export const maxTries = 256
const maxSteps = 20_000

/** What makes the time of a pattern more than linear in the text, or more than can be told. */
export type Excess = { repetition: string } | 'choices'

/**
 * Whether an engine that backtracks needs more than `maxTries` for each character of a text, for some text. It goes
 * through all texts at once: of what has been read it keeps in how many ways the engine can have come to each state.
 * Where these ways are bounded there is an end of different counts, and the time is linear; else some count outgrows
 * the limit (Weber and Seidl 1991, "On the degree of ambiguity of finite automata").
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

/** States in their order, and in how many ways each is reached. */
type Counts = [state: number, count: number][]

function follow(states: State[], counts: Counts): Counts {
  const reached = new Map<number, number>()
  for (const [from, count] of counts)
    for (const [to, ways] of states[from]!.next) {
      const before = reached.get(to) ?? 0
      // Once the pattern holds, the engine goes on from the first way that came here, and from no other. Repetitions of
      // repetitions are counted all the same: `(a+)+` is harmless until somebody adds a letter to it.
      reached.set(to, states[to]!.isEnough && ways === 1 ? Math.max(before, 1) : before + count * ways)
    }
  return [...reached].sort(([one], [other]) => one - other)
}

/** The repetition in which the most ways have met; ways that meet in none are choices. */
function excessAt(states: State[], counts: Counts): Excess {
  const inRepetitions = counts.filter(([state, count]) => count > 1 && states[state]!.repetition !== undefined)
  if (inRepetitions.length === 0) return 'choices'
  const [worst] = inRepetitions.reduce((most, each) => (each[1] > most[1] ? each : most))
  return { repetition: states[worst]!.repetition! }
}
