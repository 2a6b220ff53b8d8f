import { ApiError } from '@svc/client'
import { isReferenceType, type Reference } from './reference-link.tsx'

/** What a refused deletion names as still in use. */
export function referencesIn(error: unknown): Reference[] {
  const found = error instanceof ApiError ? error.details.references : undefined
  return Array.isArray(found) ? found.filter(isReference) : []
}

const isReference = (value: unknown): value is Reference => {
  const { type, id } = (value ?? {}) as Record<string, unknown>
  return isReferenceType(type) && typeof id === 'string'
}
