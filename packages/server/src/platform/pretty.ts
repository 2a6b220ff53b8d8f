import type { DestinationStream } from 'pino'

/** Fields that the line shows elsewhere and does not repeat. */
const shownElsewhere = new Set(['level', 'time', 'msg', 'err', 'reqId', 'requestId'])

const levels: Record<string, string> = {
  fatal: 'FATAL',
  error: 'ERROR',
  warn: 'WARN ',
  info: 'info ',
  debug: 'debug',
  trace: 'trace',
}
const colours: Record<string, number> = { fatal: 31, error: 31, warn: 33, debug: 90, trace: 90 }

/** Writes pino's JSON lines as text for people. */
export function prettyLines(write: (text: string) => void, isColoured: boolean): DestinationStream {
  return { write: (line) => write(prettyLine(line, isColoured)) }
}

/**
 * `09:41:07 WARN  the message name=value other="two words"`, followed by the stack of an error. Texts stay as the log
 * has escaped them, so none can begin a line or control the terminal.
 */
export function prettyLine(line: string, isColoured = false): string {
  const entry = JSON.parse(line) as Record<string, unknown>
  const { level = 'info', time, msg = '', err } = entry as { level?: string; time?: string; msg?: string; err?: Fault }
  const clock = new Date(time ?? 0).toTimeString().slice(0, 8)
  const fields = Object.entries(entry)
    .filter(([name]) => !shownElsewhere.has(name))
    .map(([name, value]) => ` ${plain(name)}=${plain(value)}`)
  const text = `${clock} ${levels[level] ?? level} ${inLine(msg)}${fields.join('')}`
  const colour = isColoured ? colours[level] : undefined
  return `${colour ? `\u001b[${colour}m${text}\u001b[0m` : text}\n${err ? faultLines(err) : ''}`
}

interface Fault {
  type?: string
  message?: string
  stack?: string
}

/** The message in one line, and from the stack only the places. */
function faultLines({ type = 'Error', message = '', stack = '' }: Fault): string {
  const places = stack.split('\n').filter((each) => /^\s+at /.test(each))
  return [`         ${inLine(`${type}: ${message}`)}`, ...places.map((each) => `           ${inLine(each.trim())}`)]
    .join('\n')
    .concat('\n')
}

function plain(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\\\x00-\x1f\x7f-\x9f\u2028\u2029]+$/.test(value)) return value
  return inLine(JSON.stringify(value))
}

const inLine = (text: string): string =>
  text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The summary of a start for the operator, in rows of a name and a text. */
export function startBlock(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return ['', `  ${title}`, '', ...rows.map(([name, text]) => `  ${name.padEnd(width)}${inLine(text)}`), '', ''].join(
    '\n',
  )
}
