/**
 * Runs work for a subject one at a time. What comes in for it meanwhile is done together by the next run, and everybody
 * waits for the run that took his item along.
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
