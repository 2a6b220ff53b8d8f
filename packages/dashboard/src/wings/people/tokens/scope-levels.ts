import type { ExplainedScope } from './explained-scope.ts'

/** What a token may do with a kind of object. Writing includes reading. */
export type Level = 'none' | 'read' | 'write'

export interface Family {
  family: string
  title: string
  /** The levels to choose from, beside none. */
  levels: { level: Exclude<Level, 'none'>; scope: string; text: string; isIneffective: boolean }[]
}

export const everything = 'admin:*'

const titles: Record<string, string> = {
  org: 'Organization',
  audit: 'Audit log',
  tokens: 'Service tokens',
  integrations: 'Destinations',
}

/** Parts of the API, in the order of the page. A kind of object without a part goes into the last one. */
const parts: { title: string; families: readonly string[] }[] = [
  {
    title: 'Flags and experiments',
    families: ['projects', 'flags', 'audiences', 'segments', 'experiments', 'metrics', 'results'],
  },
  { title: 'People and organization', families: ['org', 'members', 'roles', 'audit', 'tokens'] },
  { title: 'Webhooks and data', families: [] },
]

const levelIn = (scope: string) => scope.split(':')[1]
const familyIn = (scope: string) => scope.split(':')[0]!

/** The kinds of objects with the levels that their scopes give. */
export function familiesOf(scopes: readonly ExplainedScope[]): Family[] {
  const families = new Map<string, Family>()
  for (const { scope, text, ineffective } of scopes) {
    const [family, level] = [familyIn(scope), levelIn(scope)]
    if (level !== 'read' && level !== 'write') continue
    const title = titles[family] ?? `${family[0]?.toUpperCase()}${family.slice(1)}`
    const found = families.get(family) ?? { family, title, levels: [] }
    found.levels.push({ level, scope, text, isIneffective: ineffective })
    families.set(family, found)
  }
  return [...families.values()]
}

/**
 * The families in their parts. Scopes without an effect are left out unless they are asked for or chosen already.
 */
export function partsOf(
  scopes: readonly ExplainedScope[],
  chosen: readonly string[],
  showsIneffective: boolean,
): { title: string; families: Family[] }[] {
  const shown = familiesOf(scopes)
    .map((each) => ({
      ...each,
      levels: each.levels.filter(
        ({ scope, isIneffective }) => !isIneffective || showsIneffective || chosen.includes(scope),
      ),
    }))
    .filter(({ levels }) => levels.length > 0)
  const partOf = ({ family }: Family) => parts.find(({ families }) => families.includes(family)) ?? parts.at(-1)
  return parts
    .map((part) => ({ title: part.title, families: shown.filter((each) => partOf(each) === part) }))
    .filter(({ families }) => families.length > 0)
}

/** `admin:*` gives the highest level of each family. */
export function levelOf({ levels }: Family, chosen: readonly string[]): Level {
  const held = levels.filter(({ scope }) => chosen.includes(scope) || chosen.includes(everything))
  return held.some(({ level }) => level === 'write') ? 'write' : held.length > 0 ? 'read' : 'none'
}

/** The scopes after a choice for one family. Who limits "everything" keeps every other scope that has an effect. */
export function withLevel(
  scopes: readonly ExplainedScope[],
  chosen: readonly string[],
  family: string,
  level: Level,
): string[] {
  const before = chosen.includes(everything) ? effective(scopes) : chosen
  const given = scopes
    .map(({ scope }) => scope)
    .filter((scope) => familyIn(scope) === family)
    .filter((scope) => level === 'write' || (level === 'read' && levelIn(scope) === 'read'))
  return inOrder(scopes, [...before.filter((scope) => familyIn(scope) !== family), ...given])
}

const inOrder = (scopes: readonly ExplainedScope[], chosen: readonly string[]) =>
  scopes.map(({ scope }) => scope).filter((scope) => chosen.includes(scope))

/** The scopes that open something today, without `admin:*`. */
const effective = (scopes: readonly ExplainedScope[]) =>
  scopes.filter(({ scope, ineffective }) => !ineffective && scope !== everything).map(({ scope }) => scope)

export interface Preset {
  key: string
  label: string
  text: string
  scopes: string[]
}

/** Usual choices of scopes. */
export function presetsOf(scopes: readonly ExplainedScope[]): Preset[] {
  const known = effective(scopes)
  return [
    {
      key: 'read',
      label: 'Read only',
      text: 'Reads everything, including members and the audit log. Changes nothing.',
      scopes: known.filter((scope) => levelIn(scope) === 'read'),
    },
    {
      key: 'releases',
      label: 'CI and releases',
      text: 'Reads flags and their targeting, changes flags and publishes them.',
      scopes: known.filter((scope) =>
        ['org:read', 'projects', 'flags', 'audiences:read', 'segments:read'].some((each) =>
          [scope, familyIn(scope)].includes(each),
        ),
      ),
    },
    {
      key: 'webhooks',
      label: 'Webhooks',
      text: 'Sets up webhooks, and reads events and deliveries.',
      scopes: known.filter((scope) => scope === 'projects:read' || familyIn(scope) === 'webhooks'),
    },
    {
      key: 'everything',
      label: 'Everything',
      text: 'All scopes, including future ones and the right to add owners. For infrastructure as code.',
      scopes: [everything],
    },
  ]
}

/** The preset with exactly these scopes. */
export const presetIn = (presets: readonly Preset[], chosen: readonly string[]): Preset | undefined =>
  presets.find(({ scopes }) => scopes.length === chosen.length && scopes.every((scope) => chosen.includes(scope)))

/** "read all, write flags". Scopes without an effect are counted at the end. */
export function scopesInWords(chosen: readonly string[], scopes: readonly ExplainedScope[]): string {
  if (chosen.includes(everything)) return 'everything'
  const known = effective(scopes)
  const without = scopes.filter(({ scope, ineffective }) => ineffective && chosen.includes(scope)).length
  const heldOf = (level: string) => known.filter((scope) => levelIn(scope) === level && chosen.includes(scope))
  const isAll = (level: string) => heldOf(level).length === known.filter((scope) => levelIn(scope) === level).length
  const nouns = familiesOf(scopes)
  const named = (level: string) =>
    isAll(level)
      ? 'all'
      : heldOf(level)
          .map((scope) => nouns.find(({ family }) => family === familyIn(scope))!.title.toLowerCase())
          .join(' and ')
          .replaceAll(/ and (?=.* and )/g, ', ')
  const words = ['read', 'write'].filter((level) => heldOf(level).length > 0).map((level) => `${level} ${named(level)}`)
  if (without > 0) words.push(`${without} ${without === 1 ? 'scope' : 'scopes'} without effect`)
  return words.length === 0 ? 'nothing' : words.join(', ')
}

/** "can read all, write flags", "can do everything". */
export function canInWords(chosen: readonly string[], scopes: readonly ExplainedScope[]): string {
  const words = scopesInWords(chosen, scopes)
  return words === 'everything' || words === 'nothing' ? `can do ${words}` : `can ${words}`
}
