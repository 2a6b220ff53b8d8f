import type { Scope } from '../src/catalogue/scopes.ts'

/** The scopes that a route requires, from its description in the OpenAPI document. */
export function neededScopes(description = ''): Scope[] {
  const words = /Requires the scopes? (.+)\.$/m.exec(description)?.[1] ?? ''
  return [...words.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope as Scope)
}
