import type { Condition } from '@svc/core'

/**
 * HTML as data: a text, or an element with its name, its attributes (null if it has none) and what is in it. Inside of
 * `svg`, elements belong to the namespace of drawings. A page makes nodes of it without a parser.
 */
export type HtmlNode = string | [name: string, attributes: Record<string, string> | null, ...content: HtmlNode[]]

/** Beside the element that a selector finds (BEFORE, AFTER), or inside of it (FIRST, LAST). */
export type Position = 'BEFORE' | 'AFTER' | 'FIRST' | 'LAST'

/** What all changes have: the key of the page on which they act, or null for all pages, and what they act on. */
interface Acting {
  page: string | null
  selector: string
  /** The change sets what its selector reads, so the element stays its own while the page leaves that alone. */
  own?: true
}

/** A change as a page gets it. Styles and hidden elements are part of the CSS. */
export type ServedChange = Acting &
  (
    | { type: 'TEXT'; value: string }
    | { type: 'HTML'; value: HtmlNode[] }
    /** A value of null removes the attribute. */
    | { type: 'ATTRIBUTE'; name: string; value: string | null }
    | { type: 'IMAGE'; value: string; alt: string | null }
    | { type: 'CLASS'; add: string[]; remove: string[] }
    | { type: 'INSERT'; value: HtmlNode[]; position: Position }
    | { type: 'MOVE'; to: string; position: Position }
  )

/** CSS that holds on one page, or on all pages of the experiment if `page` is null. */
export interface CssBlock {
  page: string | null
  text: string
}

/** What a variation does to the pages of its experiment. */
export interface ServedVariation {
  /** In the order in which the rules hold. */
  css: CssBlock[]
  /** In the order in which they are applied. */
  changes: ServedChange[]
  redirect: { url: string; keepQuery: boolean } | null
  /** The place of its function among those of the script; null without code. */
  code: number | null
}

/** A running or rolled-out web experiment. */
export interface ServedExperiment {
  /** The key of its flag in the data file. */
  key: string
  activation: 'PAGE' | 'SEEN' | 'CALL'
  activationSelector: string | null
  applyAt: 'AUTO' | 'EARLY' | 'HYDRATED'
  /** Conditions by the key of the page. A visitor takes part where any of them holds. */
  pages: Record<string, Condition>
  /** By key. A variation that changes nothing is left out. */
  variations: Record<string, ServedVariation>
}

/** What visitors do on a page that the script tells by itself: the trigger of a metric. */
export interface Goal {
  eventKey: string
  on: 'CLICK' | 'FORM_SUBMIT' | 'PAGE_VIEW' | 'SEEN'
  /** Null for page views alone. */
  selector: string | null
  /** Where it counts; null: everywhere. */
  when: Condition | null
}

/** What the pages of an environment need besides its data file. It is public: it has no names, drafts or hosts. */
export interface WebDocument {
  schemaVersion: 1
  /** The revision of the data file that it belongs to. */
  revision: number
  settings: {
    consent: 'NOT_REQUIRED' | 'REQUIRED'
    pending: 'HOLD' | 'APPLY'
    /** Whether Do Not Track and Global Privacy Control count as a refusal. */
    privacy: boolean
    /** Milliseconds. A new visitor takes no part if the page was painted this long before the script ran. */
    maxDelayMs: number
    /** Null: the widest domain that the browser takes. */
    cookieDomain: string | null
  }
  experiments: ServedExperiment[]
  goals: Goal[]
}
