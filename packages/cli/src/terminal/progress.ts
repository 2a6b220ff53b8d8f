/** Shows that something is under way, once it takes long. */
export type Progress = <Result>(work: Promise<Result>) => Promise<Result>

const silentMs = 500
const turnMs = 100
const lineMs = 10_000
const signs = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const eraseLine = '\r\u001b[K'

/** Calls something again and again. */
interface Timers<Timer> {
  start(each: () => void, everyMs: number): Timer
  stop(timer: Timer): void
}

const realTimers: Timers<NodeJS.Timeout> = { start: setInterval, stop: clearInterval }

/** Where a line can be erased, a turning sign with the seconds, which goes away again; elsewhere a line every 10 s. */
export function progressOn<Timer = NodeJS.Timeout>(
  stderr: NodeJS.WriteStream,
  { isQuiet, erases }: { isQuiet: boolean; erases: boolean },
  { start, stop }: Timers<Timer> = realTimers as unknown as Timers<Timer>,
): Progress {
  if (isQuiet) return (work) => work
  return async (work) => {
    let ms = 0
    const seconds = () => `${Math.floor(ms / 1000)} s`
    const stepMs = erases ? turnMs : lineMs
    const timer = start(() => {
      ms += stepMs
      if (!erases) stderr.write(`Still waiting for the service (${seconds()}).\n`)
      else if (ms >= silentMs)
        stderr.write(`${eraseLine}${signs[(ms / turnMs) % signs.length]} Waiting for the service (${seconds()})`)
    }, stepMs)
    try {
      return await work
    } finally {
      stop(timer)
      if (erases && ms >= silentMs) stderr.write(eraseLine)
    }
  }
}
