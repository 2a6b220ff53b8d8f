import { ApiError, nouns } from '@svc/client'

const labels: Record<string, string> = {
  ...Object.fromEntries(Object.values(nouns).flatMap((noun) => ('path' in noun ? [[noun.path, noun.label]] : []))),
  envs: nouns.environment.label,
  deliveries: 'Delivery',
  revisions: 'Revision',
}

/** Last words of addresses that are not ids. */
const verbs = ['copy', 'reorder', 'replay', 'discard', 'preview']

/**
 * Says which part of an address does not exist: the API answers only that something in it does not. It reads the parts
 * from the left. Undefined if all of them can be read, or if the token has no right to read the first part that fails.
 */
export async function missingPart(
  path: string,
  canRead: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  const [, below] = /^(?:.*)\/api\/v1\/(projects\/.*)$/.exec(path) ?? []
  const parts = below?.split('/') ?? []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const label = labels[parts[at]!]
    if (!label || verbs.includes(parts[at + 1]!)) return undefined
    try {
      const isLast = at + 2 >= parts.length
      if (isLast || !(await canRead(`/api/v1/${parts.slice(0, at + 2).join('/')}`)))
        return `${label} "${decodeURIComponent(parts[at + 1]!)}" was not found.`
    } catch {
      return undefined
    }
  }
  return undefined
}

/** A `not_found` that names what was not found. */
export function named(error: ApiError, message: string): ApiError {
  const { code, status, requestId, docUrl, details } = error
  return new ApiError(message, { code, status, requestId, docUrl, details })
}
