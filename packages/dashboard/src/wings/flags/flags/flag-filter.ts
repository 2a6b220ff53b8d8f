import type { ProjectIndex } from '../../../shell/index-query.ts'

export type IndexedFlag = NonNullable<ProjectIndex['flags']>[number]
export type IndexedEnvironment = NonNullable<ProjectIndex['environments']>[number]
export type IndexedOwner = NonNullable<ProjectIndex['owners']>[number]

/** The search part of the address of the list. Values of a list are separated by commas; an empty part is left out. */
export interface FlagSearch {
  q?: string
  status?: string
  type?: string
  tag?: string
  /** Ids of people; `none` for flags that no member owns. */
  owner?: string
  /** Keys of environments. */
  running?: string
  paused?: string
  unpublished?: string
  scheduled?: string
  /** "stale", and days without an evaluation: "unused-30". */
  use?: string
  /** A column, with "-" in front for the opposite order. */
  sort?: string
  /** Keys of the environments that have a column. Without it, those that were chosen in this browser. */
  columns?: string
  /** "create" asks for a new flag. */
  panel?: string
}

export const filterKeys = [
  'status',
  'type',
  'tag',
  'owner',
  'running',
  'paused',
  'unpublished',
  'scheduled',
  'use',
] as const
export type FilterKey = (typeof filterKeys)[number]

/** The parts of an address that the list understands. Everything else is dropped. */
export function flagSearch(search: Record<string, unknown>): FlagSearch {
  const names = ['q', ...filterKeys, 'sort', 'columns', 'panel'] as const
  const texts = names.map((name) => [name, search[name]] as const)
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string' && value !== ''))
}

/** The chosen values of each filter, for the toolbar. */
export function chosenIn(search: FlagSearch): Partial<Record<FilterKey, string[]>> {
  const chosen = filterKeys.map((key) => [key, listIn(search[key])] as const)
  return Object.fromEntries(chosen.filter(([, values]) => values.length > 0))
}

/** The search with these values instead. */
export function withChosen(
  { q, sort, columns }: FlagSearch,
  chosen: Readonly<Record<string, readonly string[] | undefined>>,
): FlagSearch {
  const filters = filterKeys.map((key) => [key, (chosen[key] ?? []).map(encodeURIComponent).join(',')] as const)
  return flagSearch({ q, sort, columns, ...Object.fromEntries(filters) })
}

/** The keys of the environments that the address gives a column. */
export const columnsIn = ({ columns }: FlagSearch): string[] | undefined =>
  columns === undefined ? undefined : listIn(columns)

const listIn = (text = ''): string[] => text.split(',').filter(Boolean).map(decoded)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A flag with the text that is searched in, made once for each reading of the index. */
export interface Listed {
  flag: IndexedFlag
  text: string
}

export const listed = (flags: readonly IndexedFlag[]): Listed[] =>
  flags.map((flag) => ({ flag, text: [flag.name, flag.key, flag.shortId, ...flag.tags].join('\n').toLowerCase() }))

/**
 * The flags that the search leaves over. Every word of `q` must occur. Values of one filter are alternatives, and
 * filters add up. Archived flags are left out unless the filter asks for them.
 */
export function filtered(
  flags: readonly Listed[],
  environments: readonly { key: string }[],
  search: FlagSearch,
  now: Date,
): IndexedFlag[] {
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const { status, type, tag, owner, running, paused, unpublished, scheduled, use } = chosenIn(search)
  const places = new Map(environments.map(({ key }, place) => [key, place]))
  const somewhere = (keys: string[], holds: (state: IndexedFlag['states'][number]) => boolean) => (flag: IndexedFlag) =>
    keys.some((key) => {
      const state = flag.states[places.get(key) ?? -1]
      return state !== undefined && holds(state)
    })
  const tests: ((flag: IndexedFlag) => boolean)[] = [
    status ? (flag) => status.includes(flag.status) : (flag) => flag.status !== 'ARCHIVED',
    ...(type ? [(flag: IndexedFlag) => type.includes(flag.type)] : []),
    ...(tag ? [(flag: IndexedFlag) => tag.some((each) => flag.tags.includes(each))] : []),
    ...(owner ? [(flag: IndexedFlag) => owner.includes(flag.owner ?? 'none')] : []),
    ...(running ? [somewhere(running, (state) => state.running === true)] : []),
    ...(paused ? [somewhere(paused, (state) => state.running !== true)] : []),
    ...(unpublished ? [somewhere(unpublished, (state) => (state.unpublished ?? 0) > 0)] : []),
    ...(scheduled ? [somewhere(scheduled, (state) => state.scheduled !== undefined)] : []),
    ...(use ? [(flag: IndexedFlag) => use.some((each) => isUsedAs(flag, each, now))] : []),
  ]
  return flags
    .filter(({ flag, text }) => words.every((word) => text.includes(word)) && tests.every((test) => test(flag)))
    .map(({ flag }) => flag)
}

const dayMs = 86_400_000

function isUsedAs(flag: IndexedFlag, value: string, now: Date): boolean {
  if (value === 'stale') return flag.stale === true
  const days = Number(/^unused-(\d{1,4})$/.exec(value)?.[1] ?? Number.NaN)
  const at = evaluatedAt(flag)
  return at === undefined || now.getTime() - Date.parse(at) > days * dayMs
}

/** When the flag was last evaluated in any environment. */
export const evaluatedAt = ({ states }: IndexedFlag): string | undefined =>
  states
    .map(({ lastEvaluatedAt }) => lastEvaluatedAt)
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)

const sorts = ['name', 'status', 'evaluated', 'updated'] as const
type Column = (typeof sorts)[number] | `running.${string}`
export type Sort = { by: Column; isDescending: boolean }

/** The order by the switches in an environment: running before paused. */
export const byRunning = (environmentKey: string) => `running.${environmentKey}` as const

const isColumn = (text: string): text is Column => text.startsWith('running.') || sorts.some((each) => each === text)

/** The order of the address; the latest edit first without one. */
export function sortOf({ sort = '-updated' }: FlagSearch): Sort {
  const by = sort.replace(/^-/, '')
  return isColumn(by) ? { by, isDescending: sort.startsWith('-') } : { by: 'updated', isDescending: true }
}

const statuses = ['RUNNING', 'PAUSED', 'DRAFT', 'ARCHIVED']
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

type Compare = (one: IndexedFlag, other: IndexedFlag) => number

const inOrder =
  (rank: (flag: IndexedFlag) => number): Compare =>
  (one, other) =>
    rank(one) - rank(other)

const comparisons: Record<(typeof sorts)[number], Compare> = {
  name: (one, other) => collator.compare(one.name, other.name),
  status: inOrder(({ status }) => statuses.indexOf(status)),
  evaluated: (one, other) => compareTexts(evaluatedAt(one) ?? '', evaluatedAt(other) ?? ''),
  updated: (one, other) => compareTexts(one.updatedAt, other.updatedAt),
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The flags in this order; equal ones by name and then by number, so that the order never jumps. */
export function sorted(
  flags: readonly IndexedFlag[],
  environments: readonly { key: string }[],
  { by, isDescending }: Sort,
): IndexedFlag[] {
  const place = environments.findIndex(({ key }) => byRunning(key) === by)
  const isPaused = ({ states }: IndexedFlag) => (states[place]?.running === true ? 0 : 1)
  const compare = by in comparisons ? comparisons[by as keyof typeof comparisons] : inOrder(isPaused)
  const direction = isDescending ? -1 : 1
  return [...flags].sort(
    (one, other) => direction * compare(one, other) || comparisons.name(one, other) || one.shortId - other.shortId,
  )
}
