/** Work that continues after the answer was sent. Shutdown waits for it. */
export interface Background {
  run(work: () => Promise<void>): void
  settled(): Promise<void>
}

export function background(onError: (error: unknown) => void): Background {
  const underWay = new Set<Promise<void>>()
  return {
    run(work) {
      const done: Promise<void> = work()
        .catch(onError)
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
