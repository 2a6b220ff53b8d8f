import { readings } from './synonyms.ts'

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
  const query = queryIn(typed)
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
    .slice(0, query === '' ? undefined : maxShown)
    .map(({ entry }) => entry)
}

/** What is looked for, without the mark for actions. */
const queryIn = (typed: string): string => typed.trimStart().replace(/^>/, '').trim().toLowerCase()

interface Actionable<Entry> extends Findable {
  label: string
  /** What can be done with it. */
  actions?: (() => Entry[]) | undefined
}

const maxByVerb = 5

/**
 * What the palette shows: the entries that match, with the actions of the best one right after it. Before them come the
 * actions that begin with what was typed: "pause check" finds "Pause One-page checkout in Production", and so does
 * "kill check". What matches the words as they were typed comes before what matches their meaning.
 */
export function offered<Entry extends Actionable<Entry>>(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): Entry[] {
  const all = readings(typed).flatMap((reading) => offeredFor(entries, reading, recent))
  return all.filter(({ id }, place) => all.findIndex((other) => other.id === id) === place)
}

function offeredFor<Entry extends Actionable<Entry>>(
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

/** Entries under a heading. Without one they are in order of their match. */
export interface Group<Entry> {
  heading?: string
  entries: { entry: Entry; place: number }[]
}

const mostOfAGroup = 6

/**
 * The entries in groups while nothing is typed: what was used last first, then a few of each kind. What is typed makes one
 * group, best first. Each entry has its place among all, in which the keys go from one to the next.
 */
export function grouped<Entry extends Findable & { kind: string }>(
  shown: readonly Entry[],
  typed: string,
  recent: readonly string[],
): Group<Entry>[] {
  let next = 0
  const numbered = (entries: readonly Entry[]) => entries.map((entry) => ({ entry, place: next++ }))
  if (queryIn(typed) !== '') return [{ entries: numbered(shown) }]
  const byKind = [...Map.groupBy(shown, ({ id, kind }) => (recent.includes(id) ? 'Recent' : plural(kind)))]
  const most = byKind.length > 1 ? mostOfAGroup : maxShown
  return byKind
    .sort(([one], [other]) => Number(other === 'Recent') - Number(one === 'Recent'))
    .map(([heading, entries]) => ({ heading, entries: numbered(entries.slice(0, most)) }))
}

/** "Audiences" of "Audience"; "You" and "Help" are no things that one counts. */
function plural(kind: string): string {
  if (['You', 'Help'].includes(kind)) return kind
  if (kind === 'Person') return 'People'
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`
}
