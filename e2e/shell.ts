import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { output } from './output.ts'
import { cleanEnvironment, root } from './service.ts'

/** `svc` and `svc-server` without `npx`, as after an installation. */
export const withPrograms = { PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }

/** Long enough that only a command that hangs exceeds it: installing and compiling take a while on a busy machine. */
const commandLimitMs = 90_000

/** A shell that runs the blocks of a guide in order, as a reader would. A command that fails ends it. */
export interface Shell {
  /** Runs a block to its end. Returns its output so far and a wait for later output. */
  run(block: string): Promise<{ printed(): string; until(wanted: string): Promise<unknown> }>
  /** Ends the shell and its background processes. */
  close(): void
}

export function openShell(settings: Record<string, string>): Shell {
  const shell = spawn('sh', ['-eu'], { cwd: root, env: cleanEnvironment(settings), stdio: 'pipe', detached: true })
  const seen = output(shell)
  // Two pipes have no order: the mark of a block's end could arrive before what a program has said.
  shell.stdin.write('exec 2>&1\n')
  let blocks = 0
  return {
    async run(block) {
      blocks += 1
      const from = seen.text().length
      const mark = `-- block ${blocks} has ended --`
      shell.stdin.write(`${block}\necho '${mark}'\n`)
      await seen.until(`${mark}\n`, commandLimitMs, from)
      return {
        printed: () => seen.text().slice(from).replace(`${mark}\n`, ''),
        until: (wanted) => seen.until(wanted, commandLimitMs, from),
      }
    },
    close: () => {
      if (shell.pid && shell.exitCode === null) process.kill(-shell.pid)
    },
  }
}
