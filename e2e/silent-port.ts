import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const listen = `
  const server = require('node:net').createServer()
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

/**
 * A port of the loopback interface whose connections are neither accepted nor refused, as those to a machine that is
 * off: a process listens and never accepts, and its queue is full.
 */
export async function openSilentPort(): Promise<{ port: number; close(): void }> {
  const listener = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(listener.stdout, 'data')
  const port = Number(printed)
  // The queue has room for one more than its size.
  const queued: Socket[] = []
  for (let place = 0; place < 2; place += 1) {
    const socket = connect(port, '127.0.0.1')
    queued.push(socket)
    await once(socket, 'connect')
  }
  return {
    port,
    close() {
      for (const socket of queued) socket.destroy()
      listener.kill('SIGKILL')
    },
  }
}
