import type { EvaluationContext } from '@svc/core'
import { readSettings } from '../../../sdk/src/options.ts'
import { platform } from '../../../sdk/src/requests/platform.ts'
import { post } from '../../../sdk/src/requests/post.ts'
import { sdkVersion } from '../../../sdk/src/version.ts'
import { sending, session } from '../../../sdk/src/visitors/seen.web.ts'
import { createTracking } from '../../../sdk/src/visitors/tracking.ts'
import type { Served } from '../script.ts'
import { watchAddress } from './addresses.ts'
import { contextOf, dimensionNames } from './context.ts'
import { createPlan } from './plan.ts'
import { createSheets } from './sheets.ts'
import { createVisit, type Taken } from './visit.ts'
import { remember, type Visitor, visitorOf } from './visitor.ts'

/** What a page calls. Calls before the script has run wait in `svc.q`, as `[name, ...arguments]`. */
export interface Api {
  /** Where the visitor takes part, by the key of the experiment: the key of the variation. */
  variations: Taken
  /** Tells what the visitor did. */
  track(eventKey: string, options?: { value?: number; properties?: Record<string, unknown> }): void
  /** Names the person who is logged in, as the attribute `userId`. The visitor stays in the same variation. */
  identify(userId: string): void
  /** Attributes for targeting. The page is decided anew. */
  setAttributes(attributes: Record<string, unknown>): void
  /** Takes calls as the queue of before did. */
  q: { push(...calls: Call[]): void }
}

type Call = [name: 'track' | 'identify' | 'setAttributes', ...given: never[]]
type Page = Window & typeof globalThis

/** Starts web experiments in a page; when a page is prerendered, once somebody looks at it. A second tag does nothing. */
export function start(page: Page, served: Served): void {
  const { document } = page as { document: Document & { prerendering?: boolean } }
  if (document.prerendering) document.addEventListener('prerenderingchange', () => begin(page, served), { once: true })
  else begin(page, served)
}

function begin(page: Page, { baseUrl, sdkKey, ...content }: Served): void {
  const { svc } = page as { svc?: Partial<Api> & { q?: Call[] } }
  if (svc?.track) return
  session.name += sdkKey
  // A program that drives a browser is no visitor. It sees what its id gives it.
  const isPerson = !page.navigator.webdriver
  const visitor = takesPart(page, content.web.settings)
  const settings = readSettings({
    ...{ sdkKey, baseUrl, dimensions: dimensionNames, tracking: isPerson && visitor !== undefined },
    async fetch(...given) {
      const confirm = sending()
      const answer = await page.fetch(...given)
      if (answer.ok) confirm()
      return answer
    },
  })
  const tracking = createTracking(settings, platform)
  platform.onHide(tracking.hide)
  platform.onShow(tracking.show)

  const { referrer } = page.document
  let isLate = visitor?.isNew === true && paintedMs(page.performance) > content.web.settings.maxDelayMs
  let own: Record<string, unknown> = {}
  const contextNow = (): EvaluationContext => ({
    ...contextOf(page, { isNew: visitor?.isNew ?? true, referrer }),
    ...own,
    targetingKey: visitor?.id ?? '',
  })
  const visit = createVisit(content, { ...effectsOn(page, settings.warn), expose: tracking.expose })
  const look = (): void => {
    try {
      if (visitor) api.variations = visit(contextNow(), isLate)
    } catch (fault) {
      settings.warn('experiments cannot be applied', fault)
    }
  }
  let hasLooked = false
  const api: Api = {
    variations: {},
    track: (eventKey, options) => tracking.track(eventKey, { ...options, context: contextNow() }),
    identify: (userId) => api.setAttributes({ userId }),
    setAttributes(attributes) {
      own = { ...own, ...attributes }
      if (hasLooked) look()
    },
    q: {
      push(...calls) {
        for (const [name, ...given] of calls) (api[name] as ((...given: never[]) => void) | undefined)?.(...given)
      },
    },
  }
  // First, because a change that fails in one arm must not take the conversions of that arm with it.
  Object.assign(page, { svc: api })
  watchAddress(page, () => {
    isLate = false
    look()
  })
  if (isPerson) beatOnce(page, { settings, revision: content.web.revision })
  // What waits can say who the visitor is.
  api.q.push(...(svc?.q ?? []))
  hasLooked = true
  look()
}

/** What experiments do to the page. */
function effectsOn(page: Page, warn: (message: string, ...cause: unknown[]) => unknown) {
  const { document, performance } = page
  const plan = createPlan({
    document,
    nextFrame: (work) => page.requestAnimationFrame(work),
    nowMs: () => performance.now(),
    onRest: ({ selector }, reason) => warn(`a change of ${selector} rests`, reason),
  })
  return { setChanges: plan.set, setCss: createSheets(document).set }
}

/**
 * The visitor; undefined for who takes no part, in any arm: who has asked not to be tracked, whose browser keeps no cookie,
 * and whose browser is too old for what a variation may need.
 */
function takesPart(page: Page, { privacy, cookieDomain }: Served['web']['settings']): Visitor | undefined {
  const { navigator, document } = page as Page & { navigator: { doNotTrack?: string; globalPrivacyControl?: boolean } }
  if (privacy && (navigator.doNotTrack === '1' || navigator.globalPrivacyControl)) return undefined
  if (!('adoptedStyleSheets' in document && 'canParse' in URL)) return undefined
  try {
    const visitor = visitorOf(page)
    return remember(visitor, page, cookieDomain) ? visitor : undefined
  } catch {
    // A frame without an origin has no cookies.
    return undefined
  }
}

/** How long ago the page was painted for the first time, in milliseconds. */
function paintedMs(performance: Performance): number {
  const [first] = performance.getEntriesByType('paint')
  return first ? performance.now() - first.startTime : 0
}

/** Tells the service that this host has the script, once in a session of the browser. */
function beatOnce(
  page: Page,
  { settings, revision }: { settings: ReturnType<typeof readSettings>; revision: number },
): void {
  const told = `svc_beat ${settings.sdkKey} ${revision}`
  try {
    if (page.sessionStorage.getItem(told)) return
    page.sessionStorage.setItem(told, '1')
  } catch {
    // A browser can refuse its storage. Then each page view tells.
  }
  const instanceId = `web:${page.location.hostname}`
  const beat = { sdkKey: settings.sdkKey, sdkType: 'web', sdkVersion, instanceId, revision, evaluatedFlags: [] }
  post(settings.fetch, settings.heartbeatUrl, beat, true, new AbortController().signal, platform).catch(() => {})
}
