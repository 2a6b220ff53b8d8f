import type { Issue } from '@svc/client'
import { capital } from '../words/lists.ts'

export interface FieldErrors {
  /** The first message for each field of the form that an issue names. */
  fields: Record<string, string>
  /** Messages that name no field of the form. They are shown above it. */
  others: string[]
}

/** Assigns the issues of a refusal to the fields of a form. `inputOf` can name an input that is a part of a field. */
export function fieldErrors(
  issues: readonly Issue[],
  known: readonly string[],
  inputOf: (path: Issue['path']) => string | undefined = () => undefined,
): FieldErrors {
  const fields: Record<string, string> = {}
  const others: string[] = []
  for (const { path, message } of issues) {
    const name = inputOf(path) ?? fieldOf(path, known)
    if (name === undefined) others.push(message)
    else fields[name] ??= besideField(path, message)
  }
  return { fields, others }
}

/** Removes the path at the start of a message, because the field has its own label. */
export function besideField(path: Issue['path'], message: string): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  const subject = text.replace(/^\./, '')
  if (!message.startsWith(subject)) return message
  const rule = message.slice(subject.length).replace(/^:? /, '')
  return rule === 'is required.' ? 'This field is required.' : capital(rule)
}

/** The longest prefix of the path that is a field: an issue inside a list belongs to the field with the list. */
function fieldOf(path: Issue['path'], known: readonly string[]): string | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const name = path.slice(0, length).join('.')
    if (known.includes(name)) return name
  }
  return undefined
}
