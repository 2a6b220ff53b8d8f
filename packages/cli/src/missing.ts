import { ApiError, nouns } from '@svc/client'
import { nearest } from '@svc/core'

const labels: Record<string, string> = {
  ...Object.fromEntries(Object.values(nouns).flatMap((noun) => ('path' in noun ? [[noun.path, noun.label]] : []))),
  envs: nouns.environment.label,
  deliveries: 'Delivery',
  revisions: 'Revision',
}

/** Last words of addresses that are not ids. */
const verbs = ['copy', 'reorder', 'replay', 'discard', 'preview']

const mostNamed = 10
const mostCompared = 100

/** How the parts of an address are looked for. */
export interface Looking {
  /** Whether there is something at this path. Rejects if the token has no right to know. */
  canRead(path: string): Promise<boolean>
  /** The keys in the list at this path, at most as many as wanted, and whether there are more. */
  keysAt(path: string, limit: number): Promise<{ keys: string[]; hasMore: boolean }>
}

/**
 * Says which part of an address does not exist, and what there is: the API answers only that something in it does not. It
 * reads the parts from the left. Undefined if all of them can be read, or if the token has no right to read the first part
 * that fails.
 */
export async function missingPart(path: string, looking: Looking): Promise<string | undefined> {
  const [, below] = /^(?:.*)\/api\/v1\/(projects\/.*)$/.exec(path) ?? []
  const parts = below?.split('/') ?? []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const label = labels[parts[at]!]
    if (!label || verbs.includes(parts[at + 1]!)) return undefined
    try {
      const isLast = at + 2 >= parts.length
      if (isLast || !(await looking.canRead(`/api/v1/${parts.slice(0, at + 2).join('/')}`))) {
        const called = decodeURIComponent(parts[at + 1]!)
        const there = await thereIs(`/api/v1/${parts.slice(0, at + 1).join('/')}`, called, looking)
        return `${label} "${called}" was not found.${there}`
      }
    } catch {
      return undefined
    }
  }
  return undefined
}

/** What the list has in place of what was not found. Nothing if it has no keys, or if the token cannot read it. */
async function thereIs(list: string, called: string, { keysAt }: Looking): Promise<string> {
  try {
    const { keys, hasMore } = await keysAt(list, mostCompared)
    const meant = nearest(called, keys)
    if (meant !== undefined) return ` Did you mean "${meant}"?`
    if (keys.length === 0 || keys.length > mostNamed || hasMore) return ''
    return ` The token sees ${keys.join(', ')}.`
  } catch {
    return ''
  }
}

/** A `not_found` that names what was not found. */
export function named(error: ApiError, message: string): ApiError {
  const { code, status, requestId, docUrl, details } = error
  return new ApiError(message, { code, status, requestId, docUrl, details })
}
