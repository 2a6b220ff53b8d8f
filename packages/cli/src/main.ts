import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './run.ts'

// `svc flag list | head` closes the pipe early. That is the reader's choice and no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
const interrupted = () => process.exit(130)
process.once('SIGINT', interrupted)

process.exitCode = await run({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  home: homeFolder(),
  platform: process.platform,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch,
  now: () => new Date(),
  sleep: (ms) => sleep(ms),
  onInterrupt(stop) {
    process.off('SIGINT', interrupted)
    process.once('SIGINT', stop)
  },
})

/** A user whom the system does not know, as in containers, has no home; `auth login` then says that it cannot write. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}
