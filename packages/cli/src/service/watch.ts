import type { Session } from '../session.ts'
import { type Output, openOutput } from '../terminal/output.ts'
import { obeysCodes } from '../terminal/terminal.ts'
import { untilInterrupted } from './polling.ts'

/** The option of commands that show a state. */
export const watchOption = { watch: { about: 'Show it again whenever it changes, until Ctrl-C.' } } as const

const pauseMs = 2000
const home = '\u001b[2J\u001b[H'

/**
 * Runs a command that shows a state every 2 s. On a terminal that obeys control codes, it draws again whenever something
 * changed. Elsewhere it prints the lines that are new, and with `--json` each new state in a line.
 */
export async function watching(session: Session, show: (session: Session) => Promise<void>): Promise<void> {
  const { world, output, globals } = session
  const { stdout } = world
  session.remembers = true
  let last: string | undefined
  await untilInterrupted(world, pauseMs, async () => {
    const { collected, text } = collecting(session)
    // The getters of the session stay those of the session.
    await show(Object.create(session, { output: { value: collected } }))
    const found = text()
    if (found === last) return
    if (output.isJson) output.line(JSON.stringify(JSON.parse(found)))
    else if (obeysCodes(stdout, world.env)) stdout.write(`${home}${found}`)
    else stdout.write(newLines(found, last ?? ''))
    last = found
  })

  function collecting({ world: { env } }: Session): { collected: Output; text(): string } {
    let text = ''
    const write = (part: string) => {
      text += part
      return true
    }
    const stream = { isTTY: stdout.isTTY, columns: stdout.columns, write } as NodeJS.WriteStream
    const collected = openOutput(
      { stdout: stream, stderr: output.isJson ? world.stderr : stream, env },
      { isJson: output.isJson, isQuiet: globals.quiet === true, isPlain: globals['no-color'] === true },
    )
    return { collected, text: () => text }
  }
}

/** The lines that were not there before. */
export function newLines(found: string, last: string): string {
  const known = new Set(last.split('\n'))
  return found
    .split('\n')
    .filter((line) => line !== '' && !known.has(line))
    .map((line) => `${line}\n`)
    .join('')
}
