import { ruleFields, targetingWords } from '../../../ui/changes/change-words.ts'
import { moment } from '../../../ui/time/dates.ts'
import { constantWords } from '../../../ui/words/constant-words.ts'
import { roleName } from '../../people/roles/built-in.ts'
import { isReference } from './differences.ts'

/** Names of fields that need a different word. */
const fieldNames: Record<string, string> = {
  trafficAllocation: ruleFields.trafficAllocation!,
  audienceIds: ruleFields.audienceIds!,
  baselineVariationKey: ruleFields.baselineVariationKey!,
  bucketBy: ruleFields.bucketBy!,
  projectIds: 'projects',
  envId: 'environment',
  ruleId: 'rule',
  method: 'sign-in method',
}

/** What `null` means in these fields. */
const nothing: Record<string, string> = { projectIds: 'all projects', expiresAt: 'never', notifications: 'no filter' }

const isId = (value: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
/** The end of an id is random, the beginning is a time. */
const shortened = (id: string) => `…${id.slice(-6)}`

const isTime = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)

/** `['notifications', 'keywords']` → "Notifications › keywords". */
export function fieldInWords(path: readonly string[], names: ReadonlyMap<string, string>): string {
  const nameOf = (part: string) => fieldNames[part] ?? names.get(part) ?? (isId(part) ? shortened(part) : spaced(part))
  const words = path.map(nameOf).join(' › ')
  return words === '' ? 'Value' : `${words[0]!.toUpperCase()}${words.slice(1)}`
}

/** `createdAt` → "created at". Names that people gave stay as they are. */
const spaced = (name: string): string =>
  /^[a-z]+(?:[A-Z][a-z]+)+$/.test(name) ? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name

/** A value in words, with names for the ids that `names` contains. */
export function valueInWords(value: unknown, path: readonly string[], names: ReadonlyMap<string, string>): string {
  const field = path.at(-1) ?? ''
  const targeting = targetingWords(field, value, { audiences: names, segments: names })
  if (targeting !== undefined) return targeting
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null || value === undefined) return nothing[field] ?? 'nothing'
  if (value === '') return 'empty'
  if (typeof value === 'string') return names.get(value) ?? textInWords(value, field)
  if (isReference(value)) return field === 'role' ? roleName(value) : value.name
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length === 0 ? 'none' : value.map((each) => valueInWords(each, path, names)).join(', ')
  return JSON.stringify(value)
}

function textInWords(text: string, field: string): string {
  if (isTime(text)) return moment(new Date(text))
  if (isId(text)) return shortened(text)
  return constantWords(field, text) ?? text
}
