import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = new URL('../../testing/processes/garbage.ts', import.meta.url).pathname

it('giving memory back makes the process smaller, not only its heap', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  const [before, full, after] = JSON.parse(stdout) as [number, number, number]
  expect(after - before).toBeLessThan((full - before) / 4)
})
