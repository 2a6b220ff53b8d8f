import type { Context } from './visitor.ts'

/** A visitor that a person tries again and again. */
export interface SavedVisitor {
  name: string
  context: Context
}

const keyOf = (person: string, projectId: string) => `svc.visitors.${person}.${projectId}`

/** The visitors that this person saved in this browser, by name. */
export function savedVisitors(person: string, projectId: string): SavedVisitor[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(keyOf(person, projectId)) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isSaved) : []
  } catch {
    return []
  }
}

const isSaved = (value: unknown): value is SavedVisitor => {
  const { name, context } = (value ?? {}) as Partial<SavedVisitor>
  return typeof name === 'string' && typeof context === 'object' && context !== null
}

/** Keeps the list. False if the browser has no room for it. */
export function keepVisitors(person: string, projectId: string, visitors: readonly SavedVisitor[]): boolean {
  try {
    localStorage.setItem(keyOf(person, projectId), JSON.stringify(visitors))
    return true
  } catch {
    return false
  }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The list with this visitor, in the place of one with the same name. */
export const withVisitor = (visitors: readonly SavedVisitor[], added: SavedVisitor): SavedVisitor[] =>
  [...visitors.filter(({ name }) => name !== added.name), added].sort((one, other) =>
    collator.compare(one.name, other.name),
  )
