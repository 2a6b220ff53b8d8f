import { unwatched, type Watch } from '../backup/watch.ts'

const turnMs = 100
const turns = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const eraseLine = '\r\u001b[K'
const longest = 76

interface Timers<Timer> {
  start(each: () => void, everyMs: number): Timer
  stop(timer: Timer): void
}

const realTimers: Timers<NodeJS.Timeout> = { start: setInterval, stop: clearInterval }

/** On a terminal, shows in one line what the work is doing, until it ends. Elsewhere it shows nothing. */
export async function withProgress<Result, Timer = NodeJS.Timeout>(
  work: (watch: Watch) => Promise<Result>,
  stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
  { start, stop }: Timers<Timer> = realTimers as unknown as Timers<Timer>,
): Promise<Result> {
  if (!stderr.isTTY) return work(unwatched)
  let what = ''
  let turn = 0
  const draw = () => {
    if (what === '') return
    stderr.write(`${eraseLine}${turns[turn % turns.length]} ${what.slice(0, longest)}`)
    turn += 1
  }
  const timer = start(draw, turnMs)
  try {
    return await work({
      step(next) {
        const isFirst = what === ''
        what = next
        if (isFirst) draw()
      },
      say: (line) => void stderr.write(`${eraseLine}${line}\n`),
    })
  } finally {
    stop(timer)
    if (turn > 0) stderr.write(eraseLine)
  }
}
