import { type DestinationStream, type Logger, pino } from 'pino'

/** JSON lines on standard output. What could hold a secret is censored wherever it turns up. */
export function openLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      redact: { paths: ['*.authorization', '*.secret', '*.password', '*.cookie', '*.headers'], censor: '[hidden]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      base: null,
    },
    destination,
  )
}
