import type { z } from 'zod'

const listedAtMost = 12
const shownAtMost = 60

/**
 * What zod found wrong with a JSON document, one sentence for each field: its path, the rule, and what was got where
 * that is short and cannot be a secret. `name` stands for the document itself.
 */
export function issueTexts(issues: readonly z.core.$ZodIssue[], document: unknown, name: string): string[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${pathText([...issue.path, key], name)} is not a known field.`)
      : [sentence(pathText(issue.path, name), ruleOf(issue, valueAt(document, issue.path)))],
  )
}

/** `organizations[0].members[1].role` */
export function pathText(path: readonly PropertyKey[], name: string): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return text.replace(/^\./, '') || name
}

const sentence = (subject: string, rule: string) => `${subject} ${rule}${rule.endsWith('.') ? '' : '.'}`

function ruleOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'is required'
  // A message of the schema's own goes on after the path, or is a sentence of itself.
  if (!/^(Invalid|Too |Unrecognized)/.test(issue.message))
    return /^(must|is) /.test(issue.message) ? issue.message : `is not valid: ${issue.message}`
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)} (got ${kindOf(value)})`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}${shown(value)}`
    case 'too_small':
      return `must have at least ${issue.minimum} ${unitOf(issue.origin)}`
    case 'too_big':
      return `must have at most ${issue.maximum} ${unitOf(issue.origin)}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? `a valid ${issue.format}`}${shown(value)}`
    default:
      return `is not valid: ${issue.message}`
  }
}

const formats: Record<string, string> = {
  email: 'an e-mail address',
  datetime: 'a date and time such as 2027-01-31T00:00:00Z',
}

const unitOf = (origin: string) => (origin === 'string' ? 'characters' : 'entries')

const article = (kind: string) => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`)

function oneOf(values: readonly unknown[]): string {
  const listed = values.slice(0, listedAtMost).map(String)
  return values.length > 1 ? `one of ${listed.join(', ')}${values.length > listed.length ? ', …' : ''}` : listed[0]!
}

/** Tokens are never shown, wherever they were put. */
function shown(value: unknown): string {
  const isShown = typeof value === 'string' && value.length <= shownAtMost && !/svc_(svc|pat)_/.test(value)
  return isShown ? ` (got ${JSON.stringify(value)})` : ''
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return article(Array.isArray(value) ? 'array' : typeof value)
}

const valueAt = (document: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((value: unknown, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], document)
