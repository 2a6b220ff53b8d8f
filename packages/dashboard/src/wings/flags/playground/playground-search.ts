import type { Context } from './visitor.ts'

/** The search part of the address: everything that the page shows, so that a copied link shows the same. */
export interface PlaygroundSearch {
  env?: string
  /** The key of one flag; all flags without it. */
  flag?: string
  /** What is evaluated. At most one of these three is there; what is live now without them. */
  draft?: true
  revision?: number
  at?: string
  visitor?: Context
  /** Only the flags whose value differs from the other side. */
  differs?: true
}

export type Moment = 'live' | 'draft' | 'revision' | 'at'

export function playgroundSearch(search: Record<string, unknown>): PlaygroundSearch {
  const { env, flag, visitor } = search
  const key = typeof flag === 'number' ? String(flag) : flag
  return {
    ...(typeof env === 'string' && { env }),
    ...(typeof key === 'string' && key !== '' && { flag: key }),
    ...momentIn(search),
    ...(isContext(visitor) && { visitor }),
    ...(search.differs === true && { differs: true }),
  }
}

function momentIn({ draft, revision, at }: Record<string, unknown>) {
  if (draft === true) return { draft } as const
  if (typeof revision === 'number' && Number.isInteger(revision) && revision >= 0) return { revision }
  if (typeof at === 'string' && !Number.isNaN(Date.parse(at))) return { at: new Date(at).toISOString() }
  return {}
}

const isContext = (value: unknown): value is Context =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function momentOf({ draft, revision, at }: PlaygroundSearch): Moment {
  if (draft) return 'draft'
  if (revision !== undefined) return 'revision'
  return at === undefined ? 'live' : 'at'
}

/** The part of a request that says what is evaluated. */
export function pointOf({ draft, revision, at }: PlaygroundSearch) {
  return { ...(draft && { draft }), ...(revision !== undefined && { revision }), ...(at !== undefined && { at }) }
}

/** The other side of the comparison: what the next publish would serve, or else what is live. */
export const otherPoint = (search: PlaygroundSearch) => (momentOf(search) === 'live' ? { draft: true } : {})
