import { type Issue, invalid, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import { visitorIdFault } from '../../../fields.ts'
import type { RuleUse } from '../../model/rules/index.ts'

export const maxSegmentsPerProject = 200
export const maxMembers = 100_000
export const maxShownUses = 100
/** Ids in one call that adds or removes members. An upload can have more. */
export const maxEditedMembers = 1000
const maxShownIssues = 20

export type MembersEdit = 'replace' | 'add' | 'remove'

/** The last change of the members. */
export interface LastEdit {
  edit: MembersEdit
  /** In ISO 8601. */
  at: string
  by: { type: string; id: string | null; name: string }
  /** How many members there were. */
  before: number
  after: number
}

/**
 * Members as a file that an upload reads again: the heading `id` and one id in each line, in quotation marks if it
 * contains what separates columns.
 */
export const fileOf = (ids: readonly string[], isFirst: boolean): string =>
  [...(isFirst ? ['id'] : []), ...ids.map(inQuotes)].map((line) => `${line}\n`).join('')

const inQuotes = (id: string): string => (/[",;\t]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id)

/** The ids without spaces around them and without duplicates, or a refusal with the issues. */
export function parseMembers(given: readonly string[]): string[] | Refusal {
  const ids = given.map((id) => id.trim())
  const issues = ids.flatMap((id, index) => {
    const message = visitorIdFault(id)
    return message ? [{ path: ['ids', index], message }] : []
  })
  const members = [...new Set(ids)]
  return refusesMembers(members.length) ?? refuseIssues(issues.slice(0, maxShownIssues)) ?? members
}

export function refusesMembers(count: number): Refusal | undefined {
  if (count <= maxMembers) return undefined
  return invalid({ path: ['ids'], message: `A segment can have up to ${maxMembers} ids, not ${count}.` })
}

/**
 * The trimmed first column of a CSV file. If the first line is `id`, it is a heading. Empty lines are ignored. A file
 * without ids is refused, because a failed export would empty the segment.
 */
export function readCsv(text: string): { ids: string[] } | Refusal {
  const issues: Issue[] = []
  const ids: string[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const [, separator = ','] = headingWithMore.exec(lines[0]!) ?? []
  for (const [index, line] of lines.entries()) {
    const id = firstColumn(line, separator)
    const isHeading = index === 0 && id?.toLowerCase() === 'id'
    if (line.trim() === '' || isHeading) continue
    const fault =
      id === undefined
        ? 'A quotation mark is not closed on this line, or is followed by other text.'
        : visitorIdFault(id)
    if (fault) issues.push({ path: ['line', index + 1], message: `Line ${index + 1}: ${fault}` })
    else ids.push(id!)
  }
  if (ids.length === 0 && issues.length === 0)
    issues.push({ path: [], message: 'The file contains no ids. To empty the segment, send {"ids": []} as JSON.' })
  return refuseIssues(issues.slice(0, maxShownIssues)) ?? { ids }
}

/** A heading with more columns shows the separator: spreadsheets can use semicolons or tabs. */
const headingWithMore = /^\s*"?id"?\s*([,;\t])/i

/** Undefined if quotation marks of any column are wrong: the rest of a multi-line text would otherwise become ids. */
function firstColumn(line: string, separator: string): string | undefined {
  let first: string | undefined
  for (let rest: string | undefined = line; rest !== undefined; ) {
    const text: string = rest.replace(/^ +/, '')
    const [quoted, inside] = /^"((?:[^"]|"")*)" */.exec(text) ?? []
    if (text.startsWith('"') && inside === undefined) return undefined
    const end = text.indexOf(separator, quoted?.length)
    const column = text.slice(0, end < 0 ? undefined : end)
    if (quoted !== undefined && column !== quoted) return undefined
    first ??= (inside?.replaceAll('""', '"') ?? column).trim()
    rest = end < 0 ? undefined : text.slice(end + 1)
  }
  return first
}

export interface AudienceUse {
  type: 'audience'
  id: string
}

/** Refuses to delete a segment that is in use: without it, the condition would silently match no visitor. */
export function refusesDeletion(
  rules: readonly { use: RuleUse }[],
  audiences: readonly AudienceUse[],
): Refusal | undefined {
  const references = [...rules.map(({ use }) => use), ...audiences.map(({ type, id }) => ({ type, id }))]
  if (references.length === 0) return undefined
  const message = 'Drafted or live rules or audiences use the segment. Change those first.'
  return refuse('invalid_state', message, { references })
}
