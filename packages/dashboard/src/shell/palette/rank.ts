/** Something that the palette can find. */
export interface Findable {
  /** Stable, to remember what a person used last. */
  id: string
  /** What it is found by, in lower case: name, key, short number, id. */
  texts: readonly string[]
  /** Found by these too, but after all that is found by its own texts. */
  tags?: readonly string[]
  isAction: boolean
}

const maxShown = 50
/** More than one step between two kinds of match, and less than two. */
const recentBonus = 15

/**
 * The entries that match, best first. Without a query these are the recent ones and then all others in their order;
 * with `>` in front of it, only actions.
 */
export function ranked<Entry extends Findable>(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): Entry[] {
  const isForActions = typed.trimStart().startsWith('>')
  const query = typed.trimStart().replace(/^>/, '').trim().toLowerCase()
  const bonus = (id: string) => {
    const place = recent.indexOf(id)
    return place < 0 ? 0 : recentBonus - place / recent.length
  }
  return entries
    .filter(({ isAction }) => isAction || !isForActions)
    .map((entry) => ({ entry, score: scoreOf(entry, query) }))
    .filter(({ score }) => score > 0)
    .map(({ entry, score }) => ({ entry, score: score + bonus(entry.id) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, maxShown)
    .map(({ entry }) => entry)
}

interface Actionable<Entry> extends Findable {
  label: string
  /** What can be done with it. */
  actions?: (() => Entry[]) | undefined
}

const maxByVerb = 5

/**
 * What the palette shows: the entries that match, with the actions of the best one right after it. Before them come the
 * actions that begin with what was typed: "pause check" finds "Pause One-page checkout in Production".
 */
export function offered<Entry extends Actionable<Entry>>(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): Entry[] {
  const found = ranked(entries, typed, recent)
  const [best] = found
  const own = best && typed.trim() !== '' ? (best.actions?.() ?? []) : []
  const first = byVerb(entries, typed, recent)
  const [top, ...others] = found.filter((entry) => !isAmong([...first, ...own], entry))
  return [...first, ...(top ? [top] : []), ...own.filter(({ id }) => !first.some((each) => each.id === id)), ...others]
}

/** Whether it is there. The page can offer the same action as a thing, for the row that is active. */
const isAmong = (entries: readonly Actionable<Findable>[], { id, label, isAction }: Actionable<Findable>): boolean =>
  entries.some((each) => each.id === id || (isAction && each.label === label))

/** The actions that begin with the first typed word, of the things that the other words find. */
function byVerb<Entry extends Actionable<Entry>>(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): Entry[] {
  const [, verb = '', rest = ''] = /^\s*>?\s*(\S{2,})\s+(\S.*)$/.exec(typed.toLowerCase()) ?? []
  if (rest === '') return []
  return ranked(
    entries.filter(({ actions }) => actions),
    rest,
    recent,
  )
    .slice(0, maxByVerb)
    .flatMap(({ actions }) => actions?.() ?? [])
    .filter(({ label }) => label.toLowerCase().startsWith(verb))
}

/** From 0, no match, to 50: a text is exactly the query. */
function scoreOf({ texts, tags = [] }: Findable, query: string): number {
  if (query === '') return 10
  const scores = texts.map((text) => {
    if (text === query) return 50
    if (text.startsWith(query)) return 40
    if (isAtWord(text, query)) return 30
    return text.includes(query) ? 20 : 0
  })
  const best = Math.max(0, ...scores)
  if (best > 0) return best
  if (tags.some((tag) => tag.startsWith(query))) return 15
  const words = query.split(/\s+/)
  const isFound = words.length > 1 && words.every((word) => [...texts, ...tags].some((text) => text.includes(word)))
  return isFound ? 10 : 0
}

/** Whether a word of the text begins with the query: `shop` in `web-shop`. */
function isAtWord(text: string, query: string): boolean {
  for (let at = text.indexOf(query, 1); at > 0; at = text.indexOf(query, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true
  return false
}
