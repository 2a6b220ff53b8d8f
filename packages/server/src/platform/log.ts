import { type DestinationStream, type Logger, pino } from 'pino'
import { prettyLines } from './pretty.ts'

export type LogFormat = 'json' | 'pretty'

/** Standard output, as JSON lines or as text for people. */
export function standardOutput(format: LogFormat): DestinationStream {
  const output = pino.destination(1)
  return format === 'json' ? output : prettyLines((text) => output.write(text), process.stdout.hasColors?.() ?? false)
}

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
