/** What became of one of several calls. */
export interface Failed<Item> {
  item: Item
  error: unknown
}

/** Calls `act` for all items, four at a time, and tells how many are done. A failure does not stop the others. */
export async function inTurns<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  onDone: (done: number) => void = () => {},
  atOnce = 4,
): Promise<Failed<Item>[]> {
  const failed: Failed<Item>[] = []
  const waiting = [...items]
  let done = 0
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const current = item
      await act(current).catch((error: unknown) => failed.push({ item: current, error }))
      done += 1
      onDone(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return failed
}
