import type { Condition, Evaluation, EvaluationContext, Predicate } from '@svc/core'
import type { Settings } from '../../../sdk/src/options.ts'
import type { createTracking } from '../../../sdk/src/visitors/tracking.ts'
import type { Api } from './api.ts'
import type { Content, Effects, Step } from './visit.ts'
import type { Cookies } from './visitor.ts'

type Tracking = ReturnType<typeof createTracking>

/** What the engine gives to its parts. */
export interface Host extends Content, Effects {
  page: Window & typeof globalThis
  settings: Pick<Settings, 'sdkKey' | 'eventsUrl' | 'warn' | 'fetch'>
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
  /** Tells what the visitor of a context did. */
  track: Tracking['track']
  /** The unit for which the visitor of a context got this answer: exposures name it. */
  unitOf(found: Evaluation, context: EvaluationContext): string | undefined
  contextNow(): EvaluationContext
  conditionOf(condition: Condition): Predicate
}

/** What only some content needs of the engine. The node puts it into the script where the content does. */
export type Part = (host: Host) => Step

declare global {
  /** The parts that stand before the engine in the script. Each adds itself; see `scriptOf`. */
  const svcParts: Part[]
}
