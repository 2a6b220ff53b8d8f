import { variables } from '@svc/client/catalogue'
import { nearest } from '@svc/core'

/**
 * Environment variables that are probably meant for this program and have a wrong name. Scripts can have variables of
 * their own, so only what is nearly one of ours is named.
 */
export function mistypedVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const ours: readonly string[] = variables.commandLine
  const known = new Set<string>([...ours, ...variables.service])
  return Object.keys(env)
    .sort()
    .flatMap((name) => {
      if (!name.startsWith('SVC_') || known.has(name) || known.has(name.replace(/_FILE$/, ''))) return []
      const meant = nearest(name, ours)
      return meant ? [`${name} is not a variable of svc. Did you mean ${meant}?`] : []
    })
}
