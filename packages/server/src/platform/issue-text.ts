import { nearest } from '@svc/core'
import { z } from 'zod'

const listedAtMost = 12
const shownAtMost = 100
/** A body can have thousands of unknown fields. */
const explainedAtMost = 20

/** Shortens a text that a client will read, so that no answer grows with the request. */
export const cut = (text: string): string => (text.length > shownAtMost ? `${text.slice(0, shownAtMost)}…` : text)

/** The path where a document breaks a rule, and the rule: a full sentence, or the words that follow the path. */
interface Broken {
  path: PropertyKey[]
  message: string
}

/** The problems that zod found in a JSON document, one sentence per field. `name` is the name of the document. */
export const issueTexts = (issues: readonly z.core.$ZodIssue[], document: unknown, name: string): string[] =>
  brokenRules(issues, { document, kind: 'field' }).map(({ path, message }) => issueSentence(path, message, name))

interface Read {
  document: unknown
  /** What the names in the document are called. */
  kind: string
  /** Why a field of the document itself is refused that the schema does not have. */
  unknownRule?: ((field: string) => string | undefined) | undefined
}

/**
 * The problems that zod found in a document, one rule per field: what the value must be, and what was received if that
 * is short and cannot be a secret. Misspelled fields come first: some readers see one problem only, and the right field
 * is often missing because of them.
 */
export function brokenRules(issues: readonly z.core.$ZodIssue[], read: Read): Broken[] {
  const broken = issues.flatMap((issue): Broken[] => {
    if (issue.code === 'unrecognized_keys') return unknownFields(issue, read)
    if (issue.code === 'invalid_union' && issue.errors.length > 0) return brokenBranch(issue, read)
    return [{ path: issue.path, message: ruleOf(issue, valueAt(read.document, issue.path)) }]
  })
  return [...broken.filter((each) => misspelled.has(each)), ...broken.filter((each) => !misspelled.has(each))]
}

/** The unknown fields whose right name is known. */
const misspelled = new WeakSet<Broken>()

function unknownFields(issue: UnknownFields, { kind, unknownRule }: Read): Broken[] {
  return issue.keys.map((key, index) => {
    const path = [...issue.path, cut(key)]
    const own = issue.path.length === 0 ? unknownRule?.(key) : undefined
    // A schema can have its own message for an unknown field.
    const message = issue.message.startsWith(`${key} `) ? issue.message : own
    if (message !== undefined) return { path, message }
    const meant = index < explainedAtMost ? nearest(key, knownFields.get(issue.keys) ?? []) : undefined
    if (meant === undefined) return { path, message: `is not a known ${kind}` }
    const broken = { path, message: `is not a known ${kind}. Did you mean ${meant}?` }
    misspelled.add(broken)
    return broken
  })
}

type UnknownFields = z.core.$ZodIssueUnrecognizedKeys

/** The fields that the schema has, by the list of unknown ones. */
const knownFields = new WeakMap<readonly string[], readonly string[]>()

/**
 * The `error` of a parse whose problems are shown to people. An issue does not have the fields of the schema, which
 * `brokenRules` needs to find the one that was meant.
 */
export const notingFields: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject)
    knownFields.set(issue.keys, Object.keys(issue.inst.shape))
  return undefined
}

/** A whole sentence that begins with the path, however the rule begins. */
export function issueSentence(path: readonly PropertyKey[], rule: string, name: string): string {
  const subject = pathText(path, name)
  const place = path.join(' ').toLowerCase()
  const namesIt = rule.startsWith(`${subject} `) || (path.length > 1 && rule.toLowerCase().startsWith(place))
  if (namesIt) return ended(rule)
  if (/^(must|is|has|cannot) /i.test(rule)) return ended(`${subject} ${rule[0]!.toLowerCase()}${rule.slice(1)}`)
  return ended(path.length === 0 ? rule : `${subject}: ${rule}`)
}

/** `organizations[0].members[1].role` */
export function pathText(path: readonly PropertyKey[], name: string): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return text.replace(/^\./, '') || name
}

const ended = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`)

/**
 * The problems with the shape that the document comes closest to: of those that it can be by its own type, the one with the
 * fewest problems, and these deepest inside. If none is closer, all accepted fields or values.
 */
function brokenBranch(union: z.core.$ZodIssueInvalidUnion, read: Read): Broken[] {
  const branches = union.errors.map((errors) =>
    errors.map((error) => ({ ...error, path: [...union.path, ...error.path] })),
  )
  // A list of many faulty entries has more problems than the word that could stand in its place.
  const possible = branches.filter((branch) => !branch.some((issue) => isOfAnotherType(issue, union, read)))
  const near = possible.length > 0 ? possible : branches
  const fewest = Math.min(...near.map((branch) => branch.length))
  const closest = near.filter((branch) => branch.length === fewest)
  const missing = closest.map(([issue]) => issue!).filter(({ path }) => valueAt(read.document, path) === undefined)
  if (missing.length < 2) {
    const [deepest] = closest.toSorted((one, other) => depthOf(other) - depthOf(one))
    return brokenRules(deepest!, read)
  }
  const fields = missing.map(({ path }) => pathText(path.slice(union.path.length), 'it'))
  return [{ path: union.path, message: `must have ${fields.join(' or ')}` }]
}

function isOfAnotherType(issue: z.core.$ZodIssue, union: z.core.$ZodIssueInvalidUnion, { document }: Read): boolean {
  if (issue.path.length > union.path.length) return false
  const type = typeof valueAt(document, union.path)
  return (
    issue.code === 'invalid_type' ||
    (issue.code === 'invalid_value' && !issue.values.some((value) => typeof value === type))
  )
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number => Math.max(...issues.map(({ path }) => path.length))

function ruleOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'is required'
  // The schema has its own message.
  if (!/^(Invalid|Too |Unrecognized)/.test(issue.message)) return issue.message
  const isSecret = issue.path.some((part) => secretNames.test(String(part)))
  const got = isSecret ? '' : shown(value)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? article(issue.expected)} (got ${issue.expected === 'string' || got === '' ? kindOf(value) : got})`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}${inBrackets(got)}`
    case 'invalid_union':
      return `must be ${oneOf((issue as { options?: unknown[] }).options ?? ['another value'])}${inBrackets(got)}`
    case 'too_small':
      if (!sizes.has(issue.origin))
        return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${inBrackets(got)}`
      return issue.minimum === 1 && issue.origin === 'string'
        ? 'must not be empty'
        : `must have ${issue.exact ? 'exactly' : 'at least'} ${count(issue.minimum, issue.origin)}`
    case 'too_big':
      return sizes.has(issue.origin)
        ? `must have ${issue.exact ? 'exactly' : 'at most'} ${count(issue.maximum, issue.origin)}`
        : `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${inBrackets(got)}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the right format'}${inBrackets(got)}`
    default:
      return 'is not valid'
  }
}

const secretNames = /password|secret|token|code|link|sdkKey/i

const sizes = new Set(['string', 'array', 'set', 'map', 'file'])

const formats: Record<string, string> = {
  email: 'an e-mail address',
  datetime: 'a date and time such as 2027-01-31T00:00:00Z',
  url: 'an address such as https://example.com',
  uuid: 'an id such as 8f2f8e84-5b1c-4d5e-9a51-0c3f1d2e4b6a',
}

const kinds: Record<string, string> = {
  boolean: 'true or false',
  int: 'a whole number',
  record: 'an object',
}

function count(size: number | bigint, origin: string): string {
  const [one, several] = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries']
  return `${size} ${size === 1 ? one : several}`
}

const article = (kind: string) => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`)

function oneOf(values: readonly unknown[]): string {
  const listed = values.slice(0, listedAtMost).map(String)
  return values.length > 1 ? `one of ${listed.join(', ')}${values.length > listed.length ? ', …' : ''}` : listed[0]!
}

const inBrackets = (got: string) => (got === '' ? '' : ` (got ${got})`)

/** Secrets are never shown, in any field. */
function shown(value: unknown): string {
  if (typeof value === 'string')
    return /svc_(svc|pat|ing)_|sdk_|whsec_/.test(value)
      ? ''
      : JSON.stringify(cut(value)).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '�')
  return typeof value === 'object' ? kindOf(value) : String(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return article(Array.isArray(value) ? 'array' : typeof value)
}

const valueAt = (document: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((value: unknown, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], document)
