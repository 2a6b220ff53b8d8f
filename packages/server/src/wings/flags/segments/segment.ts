import { type Issue, invalid, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import type { RuleUse } from '../../model/rules/index.ts'

export const maxSegmentsPerProject = 200
export const maxMembers = 100_000
export const maxShownUses = 100
/** Of one call that adds or removes some; an upload takes more. */
export const maxEditedMembers = 1000
const maxMemberLength = 512
const maxShownIssues = 20

/** The ids of a list, each once, or what is wrong with it. */
export function parseMembers(ids: readonly string[]): string[] | Refusal {
  const issues = ids.flatMap((id, index) => {
    const message = memberFault(id)
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
 * The first column of a CSV file, blanks around it left out; a first line `id` is a heading, and empty lines are none.
 * A file without any id is refused: a failed export would else empty the segment.
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
      id === undefined ? 'A quotation mark is not closed in this line, or more follows it.' : memberFault(id)
    if (fault) issues.push({ path: ['line', index + 1], message: `Line ${index + 1}: ${fault}` })
    else ids.push(id!)
  }
  if (ids.length === 0 && issues.length === 0)
    issues.push({ path: [], message: 'The file holds no id. To empty the segment, send {"ids": []} as JSON.' })
  return refuseIssues(issues.slice(0, maxShownIssues)) ?? { ids }
}

/** By its heading, a file of a spreadsheet that separates with something else than commas. */
const headingWithMore = /^\s*"?id"?\s*([,;\t])/i

/** Undefined where quotation marks of any column are not right: else the rest of a text of several lines would be ids. */
function firstColumn(line: string, separator: string): string | undefined {
  let first: string | undefined
  for (let rest: string | undefined = line; rest !== undefined; ) {
    const text: string = rest.replace(/^ +/, '')
    const [quoted, inside] = /^"((?:[^"]|"")*)" */.exec(text) ?? []
    if (text.startsWith('"') && inside === undefined) return undefined
    const end = text.indexOf(separator, quoted?.length)
    const column = text.slice(0, end < 0 ? undefined : end)
    if (quoted !== undefined && column !== quoted) return undefined
    first ??= inside?.replaceAll('""', '"') ?? column.trim()
    rest = end < 0 ? undefined : text.slice(end + 1)
  }
  return first
}

function memberFault(id: string): string | undefined {
  if (id === '') return 'There is no id.'
  if (id.length > maxMemberLength) return `An id has up to ${maxMemberLength} characters.`
  return id.includes('\0') ? 'An id may not contain NUL.' : undefined
}

export interface AudienceUse {
  type: 'audience'
  id: string
}

/** A segment that something still names stays: without it the condition would quietly hold for nobody. */
export function refusesDeletion(rules: readonly RuleUse[], audiences: readonly AudienceUse[]): Refusal | undefined {
  const references = [...rules.map(({ type, id, flagId, envId }) => ({ type, id, flagId, envId })), ...audiences]
  if (references.length === 0) return undefined
  const message = 'Rules or audiences still name the segment, as drafted or as live. Change them first.'
  return refuse('invalid_state', message, { references })
}
