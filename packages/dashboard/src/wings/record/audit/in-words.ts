import { moment } from '../../../ui/distance.ts'
import { isReference } from './differences.ts'

/** What fields are called where their names do not say it. */
const fieldNames: Record<string, string> = {
  projectIds: 'projects',
  envId: 'environment',
  ruleId: 'rule',
  how: 'signed in by',
}

/** What `null` means there. */
const nothing: Record<string, string> = { projectIds: 'all projects', expiresAt: 'never', notifications: 'no filter' }

const isTime = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)

/** `['notifications', 'keywords']` → "Notifications › keywords". */
export function fieldInWords(path: readonly string[]): string {
  const words = path.map((name) => fieldNames[name] ?? spaced(name)).join(' › ')
  return words === '' ? 'Value' : `${words[0]!.toUpperCase()}${words.slice(1)}`
}

/** `createdAt` → "created at"; what somebody named stays as it is written. */
const spaced = (name: string): string =>
  /^[a-z]+(?:[A-Z][a-z]+)+$/.test(name) ? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name

/** A value as a reader writes it; ids that `names` knows by their names. */
export function valueInWords(value: unknown, path: readonly string[], names: ReadonlyMap<string, string>): string {
  if (value === null || value === undefined) return nothing[path.at(-1) ?? ''] ?? 'nothing'
  if (value === '') return 'empty'
  if (typeof value === 'string') return names.get(value) ?? (isTime(value) ? moment(new Date(value)) : value)
  if (isReference(value)) return value.name
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length === 0 ? 'none' : value.map((each) => valueInWords(each, path, names)).join(', ')
  return JSON.stringify(value)
}
