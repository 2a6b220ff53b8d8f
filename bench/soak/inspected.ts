import { once } from 'node:events'

/** Memory of a process in bytes: of the main thread after a full garbage collection, and in total. */
export interface Memory {
  heap: number
  /** Buffers and other memory of the main thread outside the heap. */
  outside: number
}

/** The main thread of a Node that was started with `--inspect`, controlled through its debugger. */
export interface Inspected {
  collected(): Promise<Memory>
  close(): void
}

/** @param address the address that Node printed: `ws://…` */
export async function inspect(address: string): Promise<Inspected> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let lastId = 0
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  const ask = (method: string): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      socket.send(JSON.stringify({ id: lastId, method }))
    })
  return {
    async collected() {
      // Twice, because the second one frees objects with a finalizer.
      await ask('HeapProfiler.collectGarbage')
      await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize, embedderHeapUsedSize } = (await ask('Runtime.getHeapUsage')) as {
        usedSize: number
        backingStorageSize: number
        embedderHeapUsedSize: number
      }
      return { heap: usedSize, outside: backingStorageSize + embedderHeapUsedSize }
    },
    close: () => socket.close(),
  }
}
