// Measures one contender in its own process: `node contender.ts NAME`. Prints the results as JSON.
import type { Contender, Loaded } from './contenders.ts'
import { contenders } from './contenders.ts'
import { fourKeys, type Kind, piecesOf, stranger, users } from './work.ts'

const warmUpMs = 300
const turns = 400
const turnMs = 1
const flagsOfWork = 500
const flagsOfHeap = 5_000

/** Millions of evaluations per second (d: users per second), milliseconds, KB. */
export type Measured = Record<Kind | 'd' | 'init500' | 'init5000' | 'heap' | 'heapAsked', number>

// Keeps the answers, so that the compiler must keep their computation.
const kept = { answer: undefined as unknown }

const name = process.argv[2] ?? ''
const contender = await contenders[name]?.()
console.log(JSON.stringify(contender ? measure(contender) : null))
// Some clients keep timers or requests running.
process.exit(0)

function measure<Payload>(contender: Contender<Payload>): Measured | { wrong: string } {
  const heap = heapOf(contender)
  const init5000 = timeInit(contender, flagsOfHeap)
  const init500 = timeInit(contender, flagsOfWork)
  const pieces = piecesOf(flagsOfWork)
  const loaded = contender.load(contender.prepare(pieces), pieces)
  const wrong = faultOf(loaded)
  if (wrong) return { wrong }
  const contexts = users.map((user) => loaded.context(user))
  // d comes first, so that the code is not optimized for one kind of flag.
  const d = rate(loaded.askAll, contexts)
  const rateOf = (kind: Kind) => rate(loaded.ask[kind], contexts) / 1e6
  return { a: rateOf('a'), b: rateOf('b'), c: rateOf('c'), d, init500, init5000, ...heap }
}

/** The first wrong answer in words; empty if all are right. */
function faultOf({ ask, askAll, context }: Loaded): string {
  const contexts = users.map(context)
  const share = (kind: Kind, value: unknown) =>
    contexts.filter((each) => ask[kind](each) === value).length / users.length
  const near = (found: number, wanted: number) => Math.abs(found - wanted) < 0.06
  if (share('a', true) !== 1) return `a is true for ${share('a', true)}`
  if (!near(share('b', true), 0.5) || ask.b(context(stranger)) !== false) return `b is true for ${share('b', true)}`
  const off = fourKeys.find((key) => !near(share('c', key), 0.25))
  if (off) return `c is ${off} for ${share('c', off)}`
  // Of the 500 flags of a visitor, 200 are always true, and so are about half of 150.
  const given = contexts.reduce<number>((sum, each) => sum + askAll(each), 0) / users.length
  return Math.abs(given - 275) < 15 ? '' : `d counts ${given} true flags`
}

/** The rate of the fastest turn. Turns are so short that some are not interrupted, even on a busy machine. */
function rate(ask: (context: unknown) => unknown, contexts: unknown[]): number {
  const end = performance.now() + warmUpMs
  while (performance.now() < end) turn(ask, contexts, contexts.length / 16)
  let steps = 1
  while (turn(ask, contexts, steps) < turnMs) steps *= 2
  return (steps / Math.min(...Array.from({ length: turns }, () => turn(ask, contexts, steps)))) * 1000
}

/** Milliseconds for that many answers. There are 1,024 visitors, because a division would cost as much as an answer. */
function turn(ask: (context: unknown) => unknown, contexts: unknown[], steps: number): number {
  const lastContext = contexts.length - 1
  const start = performance.now()
  for (let i = 0; i < steps; i++) kept.answer = ask(contexts[i & lastContext])
  return performance.now() - start
}

/** The median time of nine loads, in milliseconds. */
function timeInit<Payload>(contender: Contender<Payload>, count: number): number {
  const times = Array.from({ length: 9 }, () => {
    const pieces = piecesOf(count)
    const payload = contender.prepare(pieces)
    const start = performance.now()
    kept.answer = contender.load(payload, pieces)
    return performance.now() - start
  })
  return times.sort((one, other) => one - other)[4] as number
}

/** Heap in KB, including the payload that it keeps: after loading, and after one visitor asked for every flag. */
function heapOf<Payload>(contender: Contender<Payload>): { heap: number; heapAsked: number } {
  const pieces = piecesOf(flagsOfHeap)
  const few = pieces.slice(0, flagsOfWork)
  contender.load(contender.prepare(few), few)
  const before = heapKb()
  const loaded = contender.load(contender.prepare(pieces), pieces)
  const heap = heapKb() - before
  loaded.askAll(loaded.context(users[0] as never))
  return { heap, heapAsked: heapKb() - before }
}

function heapKb(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024
}
