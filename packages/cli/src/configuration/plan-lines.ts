import { stringify } from 'yaml'
import { flagFieldInFile, type RuleBody, ruleEntry, ruleFieldInFile } from './flags.ts'
import { type Difference, fieldInFile, type Kind, kinds } from './objects.ts'
import type { Action, Change, Plan, Remark } from './plan.ts'

const signs: Record<Action, string> = {
  create: '+',
  update: '~',
  draft: '~',
  pause: '~',
  run: '~',
  delete: '-',
  archive: '-',
}

/** What a file has besides the kinds of objects, or what stays beside it. */
const others: Record<string, string> = { flags: 'flag', rules: 'rule', experiments: 'experiment' }

const nounOf = (kind: string): string => others[kind] ?? kinds[kind as Kind]?.noun ?? kind

const placeOf = ({ kind, key, env }: { kind: string; key: string; env?: string }): string =>
  `${nounOf(kind)} ${key}${env ? ` in ${env}` : ''}`

/** The plan as lines for people, with the names and values of the file. */
export function linesOf(plan: Plan): string[] {
  return [
    ...plan.changes.flatMap(linesOfChange),
    ...plan.publishes.map(
      ({ env, flags }) => `! publish ${env}: ${flags ? flags.join(', ') : 'everything that is staged'}`,
    ),
    ...remarks('Drift', '!', plan.drift),
    ...unmanagedLines(plan.unmanaged),
    ...remarks('Conflicts', '!', plan.conflicts),
  ]
}

const remarks = (title: string, sign: string, list: readonly Remark[]): string[] =>
  list.length === 0 ? [] : ['', title, ...list.map((each) => `${sign} ${placeOf(each)}: ${each.message}`)]

const mostNamed = 5

/** One line for each kind, because a project can have much that a file does not mention. */
function unmanagedLines(list: readonly Remark[]): string[] {
  const lines = [...Map.groupBy(list, ({ kind }) => kind)].map(([kind, remarks]) => {
    const { length } = remarks
    const keys = remarks.map(({ key }) => key)
    const more = length > mostNamed ? ` and ${length - mostNamed} more` : ''
    return `  ${length} ${nounOf(kind)}${length === 1 ? ' stays' : 's stay'}: ${keys.slice(0, mostNamed).join(', ')}${more}`
  })
  return lines.length === 0 ? [] : ['', 'Not in the file', ...lines]
}

function linesOfChange(change: Change): string[] {
  const { action } = change
  const head = `${signs[action]} ${placeOf(change)}`
  if (action === 'create') return [head]
  return [
    action === 'update' ? head : `${head}: ${action}`,
    ...change.fields.map((field) => `    ${lineOf(change, field)}`),
  ]
}

function lineOf(change: Change, field: Difference): string {
  const whole = wholeRule(field)
  if (whole) return whole
  const { path, from, to } = inFile(change, field)
  return `${path}: ${shown(from)} → ${shown(to)}`
}

/** A rule that comes or goes, in one piece. */
function wholeRule({ path, from, to }: Difference): string | undefined {
  const rule = (from ?? to) as RuleBody | null
  if (!rule || path !== `rules.${rule.key}`) return undefined
  if (!to) return `- ${path}`
  const { key: _key, ...entry } = ruleEntry(rule, undefined)
  return `+ ${path}: ${shown(entry)}`
}

function inFile({ kind, action }: Change, field: Difference): Difference {
  if (kind in kinds) return fieldInFile(kinds[kind as Kind].fields, field)
  if (kind !== 'flags' || action === 'run' || action === 'pause') return field
  if (action !== 'draft') return flagFieldInFile(field)
  const at = field.path.lastIndexOf('.') + 1
  if (at === 0) return field
  const inner = ruleFieldInFile({ ...field, path: field.path.slice(at) })
  return { ...inner, path: field.path.slice(0, at) + inner.path }
}

/** Room for a rule with its conditions, not for a large JSON value. */
const longest = 1000

/** A value as the file could write it, in one line. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim()
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
