import type { Condition } from '@svc/core'

/** Where a variation sends its visitors. */
export interface Redirect {
  url: string
  /** Whether the target gets the parameters of the page that it does not have itself. */
  keepQuery: boolean
}

/** What a server needs of the web document of an environment. */
export interface WebContent {
  revision: number
  settings: { consent: 'NOT_REQUIRED' | 'REQUIRED'; pending: 'HOLD' | 'APPLY'; cookieDomain: string | null }
  experiments: {
    key: string
    /** When the page counts a visitor. CALL: when it calls `svc.activate`; until then, nobody takes part. */
    activation: 'PAGE' | 'SEEN' | 'CALL'
    pages: Record<string, Condition>
    variations: Record<string, { redirect: Redirect | null }>
  }[]
}

/**
 * Reads a web document.
 *
 * @throws Error if the text is not one, or of a version that this build does not read
 */
export function parseWebContent(text: string): WebContent {
  const document = JSON.parse(text)
  const { schemaVersion, revision, settings, experiments } = document ?? {}
  if (schemaVersion !== 1 || !Number.isInteger(revision) || !settings || !Array.isArray(experiments))
    throw new Error('not a web document')
  return document
}
