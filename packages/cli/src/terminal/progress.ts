/** Shows that something is under way, once it takes long. */
export type Progress = <Result>(work: Promise<Result>) => Promise<Result>

const silentMs = 500
const turnMs = 100
const lineMs = 10_000
const turns = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const eraseLine = '\r\u001b[K'

/** Calls something again and again. */
interface Timers<Timer> {
  start(each: () => void, everyMs: number): Timer
  stop(timer: Timer): void
}

const realTimers: Timers<NodeJS.Timeout> = { start: setInterval, stop: clearInterval }

/** On a terminal a turning sign with the seconds, which goes away again; elsewhere a line every 10 s. */
export function progressOn<Timer = NodeJS.Timeout>(
  stderr: NodeJS.WriteStream,
  isQuiet: boolean,
  { start, stop }: Timers<Timer> = realTimers as unknown as Timers<Timer>,
): Progress {
  if (isQuiet) return (work) => work
  return async (work) => {
    let ms = 0
    const seconds = () => `${Math.floor(ms / 1000)} s`
    const stepMs = stderr.isTTY ? turnMs : lineMs
    const timer = start(() => {
      ms += stepMs
      if (!stderr.isTTY) stderr.write(`Still waiting for the service (${seconds()}).\n`)
      else if (ms >= silentMs)
        stderr.write(`${eraseLine}${turns[(ms / turnMs) % turns.length]} Waiting for the service (${seconds()})`)
    }, stepMs)
    try {
      return await work
    } finally {
      stop(timer)
      if (stderr.isTTY && ms >= silentMs) stderr.write(eraseLine)
    }
  }
}
