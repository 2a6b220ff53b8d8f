import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

// More than a pipe and the memory for unread lines hold, so that a program that waits for its reader does not end.
const program = `
  const { openLog, standardOutput } = await import('${new URL('./log.ts', import.meta.url)}')
  const output = standardOutput('json')
  const log = openLog('info', output)
  const stopped = new Promise((goOn) => process.once('SIGTERM', goOn))
  setInterval(() => undefined, 1_000)
  log.info('ready')
  await stopped
  for (let line = 0; line < 2_000; line++) log.info({ text: 'x'.repeat(1_000) }, line % 2 ? 'answered' : 'a line')
  await output.settled()
  process.exit(0)`

test.concurrent.for(['does not read', 'has gone', 'reads'])(
  'a program ends when the reader of its log %s',
  async (reader, { onTestFinished }) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })
    await once(lines, 'line')
    let read = 0
    lines.on('line', () => read++)
    if (reader === 'does not read') lines.pause()
    if (reader === 'has gone') child.stdout.destroy()
    const ended = once(child, reader === 'reads' ? 'close' : 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    child.stdout.destroy()
    if (reader === 'reads') expect(read).toBeGreaterThan(1_000)
  },
)
