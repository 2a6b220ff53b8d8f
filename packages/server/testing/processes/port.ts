import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give out by themselves, to `listen(0)` and to connections; browsers refuse none of them. */
const firstPort = 11_000
const lastPort = 32_767
const maxAttempts = 1_000

/**
 * A port for a program that starts later, and perhaps again after it was killed. Until this process ends, nothing else
 * gets the port: it holds the next one as its claim, which no other caller can have at the same time, whether in this
 * process or in another.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = randomInt(firstPort / 2, Math.floor(lastPort / 2)) * 2
    const claim = await listening(port + 1)
    if (!claim) continue
    const probe = await listening(port)
    if (!probe) {
      await close(claim)
      continue
    }
    await close(probe)
    claim.unref()
    return port
  }
  throw new Error(`no port is free between ${firstPort} and ${lastPort}`)
}

/** Nothing if the port is in use. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
