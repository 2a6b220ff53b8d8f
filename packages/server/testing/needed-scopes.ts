import type { Scope } from '../src/catalogue/scopes.ts'

/** The scope that a route requires, from its description in the OpenAPI document. */
export const neededScopes = (description = ''): Scope[] => scopeIn(/Requires the scope `([^`]+)`\.$/m, description)

/** The scope that it also requires for some resources. */
export const alsoNeededScopes = (description = ''): Scope[] =>
  scopeIn(/^For .+, it also requires `([^`]+)`\.$/m, description)

function scopeIn(words: RegExp, description: string): Scope[] {
  const scope = words.exec(description)?.[1]
  return scope === undefined ? [] : [scope as Scope]
}
