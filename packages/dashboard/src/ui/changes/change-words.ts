import { audienceName, type ConditionNames, conditionSentence } from '../conditions/condition-words.ts'
import { isCondition } from '../conditions/conditions.ts'
import { typeWords } from '../status/status-words.ts'
import { constantWords } from '../words/constant-words.ts'
import { allOf, capital, counted } from '../words/lists.ts'
import { percentOf, percentText } from '../words/percent.ts'
import { isRuleInWords, ruleSentence } from './rule-sentence.ts'

/** A difference as the API answers it: of a flag in an environment, of an audience, of a publish. */
export interface Change {
  /** "defaultVariationKey", "rules.<id>.trafficAllocation" */
  path: string
  from: unknown
  to: unknown
}

export interface ChangeNames extends ConditionNames {
  /** Names of rules by id. */
  rules?: ReadonlyMap<string, string>
}

/**
 * A change in words: what it is about, and its live and its new value. Values are left out where the subject says it
 * all: "Rule Old beta: deleted".
 */
export interface ChangeWords {
  subject: string
  from?: string
  to?: string
  /** In place of two values. */
  does?: string
}

/** What has audiences too is not for everyone when it has no conditions. */
const besideAudiences = { everyone: 'none' }

/** The words for a change. A path without words of its own gets its field: "Sticky: no → yes". */
export function changeWords({ path, from, to }: Change, names: ChangeNames = {}): ChangeWords {
  const [first = '', second = '', ...rest] = path.split('.')
  // Keys of variations can contain dots.
  if (first === 'variations') return variationWords(path.slice('variations.'.length), from, to)
  if (first !== 'rules') return fieldWords(path, fields[path] ?? capital(spaced(path)), from, to, names)
  const rule = `Rule ${names.rules?.get(second) ?? nameIn(to) ?? nameIn(from) ?? 'without a name'}`
  if (rest.length === 0) return ruleWords(rule, from, to, names)
  const field = rest.join('.')
  return fieldWords(field, `${rule}: ${ruleFields[field] ?? spaced(field)}`, from, to, { ...names, ...besideAudiences })
}

/** The words for a change of a web experiment, whose paths are its own fields. */
export function experimentWords({ path, from, to }: Change, names: ChangeNames = {}): ChangeWords {
  const subject = experimentFields[path] ?? capital(ruleFields[path] ?? spaced(path))
  const listed = (list: unknown) => overrideWords({ environmentAllowlist: list })
  if (path === 'allowlist') return { subject, from: listed(from), to: listed(to) }
  if (path === 'winner') return { subject, does: `${String(to)}, in place of the test` }
  return fieldWords(path, subject, from, to, { ...names, ...besideAudiences })
}

/** The words as one line, for lists of texts and for the audit log. */
export const changeSentence = (change: Change, names: ChangeNames = {}): string =>
  sentenceOf(changeWords(change, names))

export const sentenceOf = ({ subject, from, to, does }: ChangeWords): string =>
  does === undefined ? `${subject}: ${from} → ${to}` : `${subject}: ${does}`

const fields: Record<string, string> = {
  enabled: 'Switch',
  key: 'Key',
  defaultVariationKey: 'Everyone else',
  pausedVariationKey: 'While paused',
  variationOrder: 'Order of the variations',
  ruleOrder: 'Order of the rules',
  overrides: 'Individual visitors',
  conditions: 'Conditions',
  name: 'Name',
  description: 'Description',
}

/** What fields of a rule are called. */
export const ruleFields: Record<string, string> = {
  enabled: 'switch',
  trafficAllocation: 'share',
  variationKey: 'gives',
  variations: 'weights',
  conditions: 'conditions',
  audienceIds: 'audiences',
  bucketBy: 'bucketed by',
  salt: 'salt',
  baselineVariationKey: 'baseline',
  exposures: 'counts visitors',
}

/** What fields of a web experiment are called, where a rule has no such field or it says something else. */
const experimentFields: Record<string, string> = {
  enabled: 'Experiment',
  allowlist: 'Individual visitors',
  trafficAllocation: 'Who takes part',
  winner: 'Winner',
  exclusionGroupId: 'Exclusion group',
  holdoutId: 'Holdout',
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nameIn = (value: unknown): string | undefined =>
  isRecord(value) && typeof value.name === 'string' ? value.name : undefined

/** `conversionWindowHours` → "conversion window hours", `statistics.test` → "statistics, test". */
const spaced = (name: string): string =>
  name
    .replaceAll('.', ', ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`)

function variationWords(key: string, from: unknown, to: unknown): ChangeWords {
  const subject = `Variation ${key}`
  if (!isRecord(from)) return { subject, does: isRecord(to) ? `added with the value ${shown(to.value)}` : 'added' }
  if (!isRecord(to)) return { subject, does: 'deleted' }
  if (from.key !== to.key && from.value === to.value) return { subject, does: `now called ${String(to.key)}` }
  const name = from.key === to.key ? subject : `${subject}, now ${String(to.key)}`
  return { subject: name, from: shown(from.value), to: shown(to.value) }
}

/** "new rollout: country is NL or BE: 25 % of them get on". A deleted rule says what it did. */
function ruleWords(subject: string, from: unknown, to: unknown, names: ChangeNames): ChangeWords {
  const rule = isRecord(to) ? to : isRecord(from) ? from : {}
  const type = typeof rule.type === 'string' ? typeWords[rule.type]?.replace(/^R/, 'r') : undefined
  const sentence = isRuleInWords(rule) ? `: ${ruleSentence(rule, names)}` : ''
  const verb = isRecord(to) ? 'new' : 'deleted'
  return { subject, does: type ? `${verb} ${type}${sentence}` : verb }
}

function fieldWords(field: string, subject: string, from: unknown, to: unknown, names: ChangeNames): ChangeWords {
  if (field === 'ruleOrder') return { subject, from: orderOf(from, names), to: orderOf(to, names) }
  if (field === 'overrides') return { subject, from: overrideWords(from), to: overrideWords(to) }
  const words = (value: unknown): string => {
    if (field === 'enabled' && typeof value === 'boolean') return value ? 'running' : 'paused'
    return targetingWords(field, value, names) ?? shown(value)
  }
  if (isRecord(from) && isRecord(to) && !isCondition(to))
    return { subject, from: settingsUnlike(from, to), to: settingsUnlike(to, from) }
  return { subject, from: words(from), to: words(to) }
}

/** "test sequential, alpha 0.05": of statistics and metrics, only what changes. */
const settingsUnlike = (settings: Record<string, unknown>, others: Record<string, unknown>): string =>
  Object.entries(settings)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name]))
    .map(([name, value]) => `${spaced(name)} ${constantWords(name, value) ?? shown(value)}`)
    .join(', ') || shown(null)

/** A value of a rule or an audience that has words of its own; undefined for any other. */
export function targetingWords(field: string, value: unknown, names: ChangeNames = {}): string | undefined {
  if (field === 'trafficAllocation' && typeof value === 'number') return percentOf(value)
  if (field === 'conditions' && isCondition(value)) return conditionSentence(value, names)
  if (field === 'audienceIds' && Array.isArray(value)) return audienceWords(value, names)
  if (field === 'variations' && isWeights(value)) return weightWords(value)
  return undefined
}

const isWeights = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.some((each) => isRecord(each) && 'weight' in each)

const orderOf = (ids: unknown, { rules }: ChangeNames): string =>
  Array.isArray(ids) && ids.length > 0 ? ids.map((id) => rules?.get(String(id)) ?? 'another rule').join(', ') : 'none'

const audienceWords = (ids: readonly unknown[], names: ChangeNames): string =>
  ids.length === 0 ? 'none' : allOf(ids.map((id) => audienceName(names, String(id))))

const weightWords = (weights: readonly unknown[]): string =>
  weights
    .map((each) =>
      isRecord(each) ? `${String(each.variationKey ?? each.key)} ${percentText(Number(each.weight))}` : shown(each),
    )
    .join(', ')

/** "4 visitors get on, 1 gets off", and how many more in rules. */
function overrideWords(overrides: unknown): string {
  if (!isRecord(overrides)) return shown(overrides)
  const entries = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.filter(isRecord) : [])
  const countOf = (entry: Record<string, unknown>) => (Array.isArray(entry.userIds) ? entry.userIds.length : 0)
  const said = entries(overrides.environmentAllowlist)
    .filter((entry) => countOf(entry) > 0)
    .map(
      (entry) =>
        `${counted(countOf(entry), 'visitor')} ${countOf(entry) === 1 ? 'gets' : 'get'} ${String(entry.variationKey)}`,
    )
  const inRules = entries(overrides.ruleAllowlists)
    .flatMap((rule) => entries(rule.entries))
    .reduce((sum, entry) => sum + countOf(entry), 0)
  if (inRules > 0) said.push(`${counted(inRules, 'visitor')} in rules`)
  return said.length === 0 ? 'none' : said.join(', ')
}

const maxText = 120

/** A value as people read it; what has no words is JSON, cut after 120 characters. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length === 0 ? 'none' : cut(value.map(String).join(', '))
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const cut = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText)}…` : text)
