import { type DestinationStream, type Logger, pino } from 'pino'
import { prettyLines } from './pretty.ts'

export type LogFormat = 'json' | 'pretty'

const answersWaitMs = 50
const maxWaitingBytes = 8 * 1024

/** Standard output, as JSON lines or as text for people. */
export function standardOutput(format: LogFormat): DestinationStream {
  if (format === 'pretty') {
    const output = pino.destination(1)
    return prettyLines((text) => output.write(text), process.stdout.hasColors?.() ?? false)
  }
  const output = pino.destination({ dest: 1, minLength: maxWaitingBytes })
  process.once('exit', () => output.flushSync())
  return gatheringAnswers(output)
}

/**
 * Lines about answered requests wait a moment for others, because writing one costs as much as a small request. Every
 * other line leaves at once, after those that wait.
 */
export function gatheringAnswers(output: { write(line: string): unknown; flushSync(): void }): DestinationStream {
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    output.flushSync()
  }
  return {
    write(line) {
      output.write(line)
      if (!line.endsWith(answered)) flush()
      else timer ??= setTimeout(flush, answersWaitMs).unref()
    },
  }
}

const answered = '"msg":"answered"}\n'

/** JSON lines on standard output. Everything that could hold a secret is censored, wherever it appears. */
export function openLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      redact: { paths: ['*.authorization', '*.secret', '*.password', '*.cookie', '*.headers'], censor: '[hidden]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      base: null,
      hooks: { streamWrite: escapeSteering },
    },
    destination,
  )
}

/**
 * JSON escapes line feeds and the start of terminal sequences, but not the C1 characters (U+0080 to U+009F) and the
 * line ends of Unicode, which some log readers also obey.
 */
const escapeSteering = (line: string): string =>
  line.replace(/[\x7f-\x9f\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
