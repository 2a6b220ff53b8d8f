import type { ListedChange } from '../../../ui/changes/change-list.tsx'
import type { ChangeWords } from '../../../ui/changes/change-words.ts'
import { type Difference, differences } from './differences.ts'
import { fieldInWords, valueInWords } from './in-words.ts'

/** A change that an entry records, for the shared list of changes. */
export interface RecordedChange extends ListedChange {
  words: ChangeWords
  /** The field of the object: "share". */
  field: string
}

/** Ids of the object itself, which the details of the entry show. */
const saidElsewhere = ['id', 'orgId', 'projectId']

/** What an entry changed, one for each field. `names` are those of ids. */
export function changesOf(before: unknown, after: unknown, names: ReadonlyMap<string, string>): RecordedChange[] {
  const byField = new Map<string, Difference[]>()
  for (const found of differences(before, after)) {
    if (found.path.length === 1 && saidElsewhere.includes(found.path[0]!)) continue
    const path = found.path.join('.')
    byField.set(path, [...(byField.get(path) ?? []), found])
  }
  return [...byField].map(([path, found]) => {
    const parts = found[0]!.path
    const subject = fieldInWords(parts, names)
    const field = fieldInWords(parts.slice(0, 1), names)
    return {
      path,
      from: found[0]!.before,
      to: found.at(-1)!.after,
      words: { subject, ...valuesOf(found, names) },
      field: `${field[0]!.toLowerCase()}${field.slice(1)}`,
    }
  })
}

function valuesOf(found: Difference[], names: ReadonlyMap<string, string>): Omit<ChangeWords, 'subject'> {
  const words = (value: unknown) => valueInWords(value, found[0]!.path, names)
  const [first, ...others] = found as [Difference, ...Difference[]]
  if (others.length === 0 && first.kind === 'CHANGED') return { from: words(first.before), to: words(first.after) }
  if (others.length === 0 && first.kind === 'ADDED') return { to: words(first.after) }
  const those = (kind: Difference['kind']) => found.filter((each) => each.kind === kind)
  const listed = (kind: 'ADDED' | 'REMOVED') =>
    those(kind)
      .map(({ before, after }) => words(kind === 'ADDED' ? after : before))
      .join(', ')
  return {
    does: [
      those('ADDED').length > 0 && `${listed('ADDED')} added`,
      those('REMOVED').length > 0 && `${listed('REMOVED')} removed`,
    ]
      .filter(Boolean)
      .join('; '),
  }
}

/** "one", "one and two", "one, two and three". More are not named. */
const mostNamed = 3
const longestValue = 60

/**
 * The words around the object: "changed the share of the rule", "from 25 % to 50 %". An edit of few fields names them;
 * a person who did something to their own account is not named twice.
 */
export function sentenceOf(
  { action, phrase, isOwn }: { action: string; phrase: string; isOwn: boolean },
  changes: readonly RecordedChange[],
): { verb: string; values?: string } {
  const verb = verbOf(action, phrase, changes)
  const [only] = changes
  const { from, to } = only?.words ?? {}
  const isShort = [from, to].every((value) => value !== undefined && value.length <= longestValue)
  const saysValues = verb !== phrase && changes.length === 1 && isShort && only!.path === pathOfField(only!)
  return { verb: isOwn ? ownVerb(verb) : verb, ...(saysValues && { values: `from ${from} to ${to}` }) }
}

const pathOfField = ({ path }: RecordedChange): string => path.split('.')[0]!

function verbOf(action: string, phrase: string, changes: readonly RecordedChange[]): string {
  const fields = [...new Set(changes.map(({ field }) => field))]
  const [, noun] = /^changed (the .+)$/.exec(phrase) ?? []
  if (!noun || !action.endsWith('.update') || fields.length === 0 || fields.length > mostNamed) return phrase
  const last = fields.at(-1)!
  const named = fields.length === 1 ? last : `${fields.slice(0, -1).join(', ')} and ${last}`
  // "changed the account of" has no noun of its own.
  return noun.endsWith(' of') ? `changed the ${named} of` : `changed the ${named} of ${noun}`
}

/** "signed in as" → "signed in", "changed the password of" → "changed their password". */
const ownVerb = (verb: string): string =>
  verb.replace(/^(.*?)\bthe (.*) of$/, '$1their $2').replace(/ (as|for|to|from|of)$/, '')
