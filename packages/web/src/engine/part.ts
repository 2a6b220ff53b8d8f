import type { Condition, EvaluationContext, Predicate } from '@svc/core'
import type { Settings } from '../../../sdk/src/options.ts'
import type { WebDocument } from '../document.ts'
import type { Api } from './api.ts'
import type { Step } from './visit.ts'
import type { Cookies } from './visitor.ts'

/** What the engine gives to its parts. */
export interface Host {
  page: Window & typeof globalThis
  settings: Pick<Settings, 'sdkKey' | 'eventsUrl' | 'warn' | 'fetch'>
  web: WebDocument
  /** What the page calls. A part can add to it and replace what is there. */
  api: Api
  /** How everything is sent. A part can replace it. */
  fetch: typeof fetch
  cookies: Cookies
  /** Decides the page anew, from the first decision on. */
  look(): void
  /** From now on, the visitor is stored, counted and told of, unless the browser keeps no cookie. */
  join(): void
  /** The visitor takes no part any more, and nothing of the visitor stays. */
  leave(): void
  /** Sends what waits in a way that outlives the page. */
  sendNow(): void
  setCss(name: string, text: string): void
  contextNow(): EvaluationContext
  conditionOf(condition: Condition): Predicate
}

/** What only some content needs of the engine. The node puts it into the script where the content does. */
export type Part = (host: Host) => Step

declare global {
  /** The parts that stand before the engine in the script. Each adds itself; see `scriptOf`. */
  const svcParts: Part[]
}
