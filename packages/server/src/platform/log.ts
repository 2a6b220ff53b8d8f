import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino } from 'pino'
import { prettyLines } from './pretty.ts'

export type LogFormat = 'json' | 'pretty'

const answersWaitMs = 50
const gatheredLength = 8 * 1024
const maxUnreadBytes = 1024 * 1024
const lastWordsMs = 1_000

export interface LogOutput extends DestinationStream {
  /** Resolves when everything is written, or after a second if it is not read. */
  settled(): Promise<void>
}

/**
 * Standard output, as JSON lines or as text for people. Writing to a pipe or socket never waits for its reader: a reader
 * that is slow or gone costs lines, not the service.
 */
export function standardOutput(format: LogFormat): LogOutput {
  const { stdout, stderr } = process
  // The service goes on when its pipe is closed.
  for (const output of [stdout, stderr]) output.on('error', () => undefined)
  const gathering = gatheringAnswers((text) => stdout.write(text))
  process.once('exit', gathering.flush)
  const lines =
    format === 'pretty' ? prettyLines((text) => stdout.write(text), stdout.hasColors?.() ?? false) : gathering
  return {
    ...losingUnread(lines, () => stdout.writableLength),
    async settled() {
      gathering.flush()
      if (stdout.writableLength === 0) return
      const written = new Promise<void>((resolve) => stdout.write('', () => resolve()))
      await Promise.race([written, wait(lastWordsMs)])
    },
  }
}

/** Drops lines while the buffer for unread lines is full, and logs how many when the output is read again. */
export function losingUnread(lines: DestinationStream, unreadBytes: () => number): DestinationStream {
  let lost = 0
  return {
    write(line) {
      if (unreadBytes() > maxUnreadBytes) {
        lost++
        return
      }
      if (lost > 0) lines.write(lostLine(lost))
      lost = 0
      lines.write(line)
    },
  }
}

const lostLine = (lost: number): string =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lost, msg: 'log lines were lost: standard output was not read in time' })}\n`

/**
 * Lines about answered requests wait a moment for others, because writing one costs as much as a small request. Every
 * other line leaves at once, after those that wait.
 */
export function gatheringAnswers(write: (text: string) => unknown): DestinationStream & { flush(): void } {
  let timer: NodeJS.Timeout | undefined
  let gathered = ''
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = gathered
    gathered = ''
    if (text !== '') write(text)
  }
  return {
    write(line) {
      gathered += line
      if (!line.endsWith(answered) || gathered.length >= gatheredLength) flush()
      else timer ??= setTimeout(flush, answersWaitMs).unref()
    },
    flush,
  }
}

const answered = '"msg":"answered"}\n'

/** Lines of JSON. Everything that could hold a secret is censored, wherever it appears. */
export function openLog(level: string, destination: DestinationStream): Logger {
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
