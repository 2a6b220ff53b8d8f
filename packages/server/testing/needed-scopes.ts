import type { Scope } from '../src/catalogue/scopes.ts'

/** The scope that a route requires, from its description in the OpenAPI document. */
export const neededScopes = (description = ''): Scope[] => scopesIn(/Requires the scope `([^`]+)`\.$/m, description)

/** The scopes that it also requires for some resources. */
export const alsoNeededScopes = (description = ''): Scope[] =>
  scopesIn(/^For .+, it also requires `(.+)`\.$/m, description)

function scopesIn(words: RegExp, description: string): Scope[] {
  const scopes = words.exec(description)?.[1]
  return scopes === undefined ? [] : (scopes.split('` and `') as Scope[])
}
