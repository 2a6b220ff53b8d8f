/**
 * Runs work for one subject at a time. Items that arrive in the meantime are handled together by the next run, and each
 * caller waits for the run that handles its item.
 */
export function together<Item>(work: (subject: string, items: readonly Item[]) => Promise<void>) {
  const last = new Map<string, Promise<void>>()
  const gathering = new Map<string, { items: Item[]; done: Promise<void> }>()
  return (subject: string, item: Item): Promise<void> => {
    const joined = gathering.get(subject)
    if (joined) {
      joined.items.push(item)
      return joined.done
    }
    const items = [item]
    const run = () => {
      gathering.delete(subject)
      return work(subject, items)
    }
    const done = (last.get(subject) ?? Promise.resolve()).then(run, run)
    gathering.set(subject, { items, done })
    last.set(subject, done)
    const forget = () => {
      if (last.get(subject) === done) last.delete(subject)
    }
    done.then(forget, forget)
    return done
  }
}

/** An item that cannot share its run: it is handled alone, directly afterwards. */
export const alone = Symbol('alone')

const maxItemsOfRun = 50

/**
 * Like `together`, with an answer for each item. `work` returns the answers in the order of the items. If it throws
 * with several items, each of them is tried alone, so that one cannot fail the others, unless `lastsOn` says that the
 * error would affect each of them.
 */
export function answeredTogether<Item, Answer>(
  work: (subject: string, items: readonly Item[]) => Promise<readonly (Answer | typeof alone)[]>,
  lastsOn: (error: unknown) => boolean,
): (subject: string, item: Item) => Promise<Answer> {
  type Waiting = { item: Item } & PromiseWithResolvers<Answer>
  const run = async (subject: string, waiting: readonly Waiting[]): Promise<void> => {
    const isOne = waiting.length === 1
    try {
      const items = waiting.map(({ item }) => item)
      const answers = await work(subject, items)
      const left: Waiting[] = []
      for (const [place, each] of waiting.entries()) {
        const answer = answers[place] as Answer | typeof alone
        if (answer !== alone) each.resolve(answer)
        else if (isOne) each.reject(new Error('work on a single item must answer'))
        else left.push(each)
      }
      for (const each of left) await run(subject, [each])
    } catch (error) {
      if (isOne || lastsOn(error)) for (const each of waiting) each.reject(error)
      else for (const each of waiting) await run(subject, [each])
    }
  }
  const add = together<Waiting>(async (subject, waiting) => {
    for (let from = 0; from < waiting.length; from += maxItemsOfRun)
      await run(subject, waiting.slice(from, from + maxItemsOfRun))
  })
  return (subject, item) => {
    const waiting = { item, ...Promise.withResolvers<Answer>() }
    void add(subject, waiting)
    return waiting.promise
  }
}

/** Callers that ask for the same while the work for it is under way get one answer, or one error. */
export function shared<Answer>(): (subject: string, work: () => Promise<Answer>) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>()
  return (subject, work) => {
    const joined = underWay.get(subject)
    if (joined) return joined
    const answer = work().finally(() => underWay.delete(subject))
    underWay.set(subject, answer)
    return answer
  }
}
