import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { freePort } from '../../testing/processes/port.ts'

const file = new URL('../../testing/processes/port.ts', import.meta.url)
const atOnce = 50
const program = `
  const { freePort } = await import(${JSON.stringify(file)})
  console.log(JSON.stringify(await Promise.all(Array.from({ length: ${atOnce} }, freePort))))
  process.stdin.resume()`

/** Asks for ports in another process, which runs until its input ends. */
async function elsewhere() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { ports: JSON.parse(String(line)) as number[], end: () => child.stdin.end(), rest: text(child.stdout) }
}

test('ports that were given out differ, within a process and between processes, and nothing listens on them', async () => {
  const others = await Promise.all([elsewhere(), elsewhere()])
  const own = await Promise.all(Array.from({ length: atOnce }, freePort))
  const ports = [...own, ...others.flatMap((other) => other.ports)]
  expect(new Set(ports).size).toBe(3 * atOnce)
  for (const port of ports) {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
  }
  for (const { end, rest } of others) {
    end()
    expect(await rest).toBe('')
  }
})
