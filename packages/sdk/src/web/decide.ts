import { compileCondition, type EvaluationContext, own } from '@svc/core'
import type { Details } from '../details.ts'
import type { WebContent } from './document.ts'
import { targetOf } from './redirect.ts'
import { takingPart } from './taking-part.ts'

/** Whether the visitor has agreed to be counted. PENDING: the answer is not known yet. */
export type Consent = boolean | 'PENDING'

/** An experiment in which the visitor takes part on this page. */
export interface TakenExperiment {
  /** `x` and the short id of the experiment. */
  key: string
  /** The key of the variation that the visitor gets. */
  variationKey: string
  /** The keys of its pages that hold. */
  pages: string[]
  /** SPLIT, TARGETING_MATCH or OVERRIDE. */
  reason: Details<unknown>['reason']
}

/** What was decided, with the answers that count: those of experiments with a redirect, in every arm alike. */
export interface Decided {
  experiments: TakenExperiment[]
  redirect: string | null
  counted: { key: string; found: Details<string> }[]
}

/** A page view as the decision sees it. */
interface View {
  address: string
  context: EvaluationContext
  isNew: boolean
  consent: Consent | undefined
}

/** What holds if the site does not say what the visitor has answered. */
export const consentOf = ({ settings }: WebContent, consent: Consent | undefined): Consent =>
  consent ?? (settings.consent === 'REQUIRED' ? 'PENDING' : true)

/** Compiles the pages of a web document. Throws if a condition is malformed. */
export function createDecision(web: WebContent) {
  const experiments = web.experiments.flatMap(({ key, activation, pages, variations }) => {
    const hasRedirect = Object.values(variations).some(({ redirect }) => redirect !== null)
    // A server knows neither of calls in the page nor of what the visitor sees there.
    if (activation === 'CALL' || (activation === 'SEEN' && hasRedirect)) return []
    return { key, variations, hasRedirect, takePart: takingPart(pages, (each) => compileCondition(each)) }
  })
  return (view: View, evaluate: (key: string) => Details<string> | undefined): Decided => {
    const consent = consentOf(web, view.consent)
    // While the answer waits, the page keeps the id of a new visitor in its memory: a server cannot know it.
    const isOpen = consent === 'PENDING' && web.settings.pending === 'APPLY' && !view.isNew
    if (consent !== true && !isOpen) return { experiments: [], redirect: null, counted: [] }
    const all = experiments.flatMap(({ key, variations, hasRedirect, takePart }) => {
      if (hasRedirect && consent !== true) return []
      const { on, given } = takePart(view.context, () => evaluate(key))
      if (!given) return []
      const { variationKey, reason } = given as typeof given & { variationKey: string }
      const redirect = own(variations, variationKey)?.redirect
      const taken: TakenExperiment = { key, variationKey, pages: on, reason }
      const isCounted = hasRedirect && reason === 'SPLIT'
      return [{ taken, found: given, isCounted, target: redirect ? targetOf(redirect, view.address) : null }]
    })
    // The visitor sees nothing of other experiments on this page.
    const going = all.find(({ target }) => target !== null)
    const kept = going ? [going] : all
    return {
      experiments: kept.map(({ taken }) => taken),
      redirect: going?.target ?? null,
      counted: kept.filter(({ isCounted }) => isCounted).map(({ taken, found }) => ({ key: taken.key, found })),
    }
  }
}
