const gatherMs = 150
const restRatio = 2
const longestReadMs = 2_000

/**
 * Hands on together what comes within a moment. After that it rests twice as long as `take` was at work: a long run of
 * changes must not keep the page busy with reading. A call that does not end is not waited for.
 */
export function gathering<Item>(take: (items: Item[]) => Promise<unknown>) {
  const items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isTaking = false
  let restsUntil = 0
  let hasStopped = false

  const plan = () => {
    if (timer !== undefined || isTaking || hasStopped || items.length === 0) return
    timer = setTimeout(hand, Math.max(gatherMs, restsUntil - performance.now()))
  }
  const hand = async () => {
    timer = undefined
    isTaking = true
    const began = performance.now()
    await Promise.race([take(items.splice(0)), passed(longestReadMs)])
    const ended = performance.now()
    restsUntil = ended + restRatio * (ended - began)
    isTaking = false
    plan()
  }
  return {
    add(item: Item) {
      items.push(item)
      plan()
    },
    stop() {
      hasStopped = true
      clearTimeout(timer)
    },
  }
}

const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
