import { type EvaluationContext, unitOfAnswer } from '@svc/core'
import { platform } from '../../../sdk/src/requests/platform.ts'
import { post } from '../../../sdk/src/requests/post.ts'
import { sdkVersion } from '../../../sdk/src/version.ts'
import { confirm, session } from '../../../sdk/src/visitors/seen.web.ts'
import { createTracking } from '../../../sdk/src/visitors/tracking.ts'
import type { Served } from '../script.ts'
import { watchAddress } from './addresses.ts'
import type { Api, Call } from './api.ts'
import { contextOf } from './context.ts'
import type { Host, Part } from './part.ts'
import { createPlan } from './plan.ts'
import { type EngineSettings, settingsOf } from './settings.ts'
import { createSheets } from './sheets.ts'
import { conditionsOf, createVisit, type Step } from './visit.ts'
import { createCookies, forget, remember, type Visitor, visitorOf } from './visitor.ts'

type Page = Window & typeof globalThis

const failed = 'experiments fail'

/** Starts web experiments in a page; when a page is prerendered, once somebody looks at it. A second tag does nothing. */
export function start(page: Page, served: Served, parts: readonly Part[]): void {
  const { document } = page as { document: Document & { prerendering?: boolean } }
  const go = () => begin(page, served, parts)
  if (document.prerendering) document.addEventListener('prerenderingchange', go, { once: true })
  else go()
}

// long-function: properties of an object keep their names in the script, whose size is limited; variables of a closure do not
function begin(page: Page, { baseUrl, sdkKey, ...content }: Served, parts: readonly Part[]): void {
  const { svc } = page as { svc?: Partial<Api> & { q?: Call[] } }
  if (svc?.track) return
  session.name += sdkKey
  const { web } = content
  const { consent, cookieDomain, maxDelayMs, privacy } = web.settings
  const isAsked = consent === 'REQUIRED'
  // A program that drives a browser is no visitor. It sees what its id gives it.
  const isPerson = !page.navigator.webdriver
  const cookies = createCookies(page, cookieDomain)
  let visitor = takesPart(page)
  const settings = settingsOf(baseUrl, sdkKey, async (...given) => {
    const answer = await host.fetch(...given)
    if (answer.ok) confirm(String(given[1]!.body))
    return answer
  })
  const tracking = createTracking(settings, platform)
  platform.onVisibility(tracking.turn)

  let isLate = !!visitor?.isNew && paintedMs(page.performance) > maxDelayMs
  let hasBegun = false
  let own: Record<string, unknown> = {}
  const contextNow = (): EvaluationContext => ({
    ...contextOf(page, { isNew: visitor?.isNew ?? true, referrer: page.document.referrer }),
    ...own,
    targetingKey: visitor?.id ?? '',
  })
  const look = (): void => {
    if (!hasBegun) return
    try {
      api.variations = visit(contextNow(), isLate || !visitor)
    } catch (fault) {
      settings.warn(failed, fault)
    }
  }
  const api: Api = {
    ...svc,
    variations: {},
    track(eventKey, options) {
      if (visitor) tracking.track(eventKey, { ...options, context: contextNow() })
    },
    identify: (userId) => api.setAttributes({ userId }),
    setAttributes(attributes) {
      own = { ...own, ...attributes }
      look()
    },
    consent: (isGiven) => void (isGiven || host.leave()),
    q: {
      push(...calls) {
        for (const [name, ...given] of calls) (api[name] as ((...given: never[]) => void) | undefined)?.(...given)
      },
    },
  }
  const host: Host = {
    ...content,
    ...{ ...tracking, ...effectsOn(page, settings.warn), conditionOf: conditionsOf(content.file) },
    ...{ page, api, settings, cookies, look, contextNow, unitOf: unitOfAnswer },
    // Code of a variation, or the page, can replace it later. Visitors count all the same.
    fetch: page.fetch.bind(page),
    join() {
      if (visitor && !remember(visitor, cookies)) visitor = undefined
      tracking.setTracking(isPerson && !!visitor)
      if (isPerson && (visitor || !isAsked)) beatOnce(page, { settings, revision: web.revision }, visitor)
    },
    leave() {
      visitor = undefined
      tracking.setTracking(false)
      forget(page, cookies)
      look()
    },
  }
  const visit = createVisit(
    host,
    parts.map((part) => safely(part, host)),
  )
  // Only who was a visitor before has something to be forgotten.
  if (privacy && asksForPrivacy(page.navigator))
    if (visitor?.isNew) visitor = undefined
    else host.leave()
  if (!isAsked) host.join()
  // First, because a change that fails in one arm must not take the conversions of that arm with it.
  Object.assign(page, { svc: api })
  watchAddress(page, () => {
    isLate = false
    look()
  })
  // What waits can say who the visitor is.
  api.q.push(...(svc?.q ?? []))
  hasBegun = true
  look()
}

/** A part that cannot begin leaves the visitor out, in every arm. A step that throws changes nothing. */
function safely(part: Part, host: Host): Step {
  const { warn } = host.settings
  let step: Step = () => []
  try {
    step = part(host)
  } catch (fault) {
    warn(failed, fault)
  }
  return (all, context) => {
    try {
      return step(all, context)
    } catch (fault) {
      warn(failed, fault)
      return all
    }
  }
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

/** Whether the browser asks not to track its person. */
const asksForPrivacy = (navigator: Navigator & { globalPrivacyControl?: boolean }): unknown =>
  navigator.doNotTrack === '1' || navigator.globalPrivacyControl

/** The visitor; undefined if the browser is too old for what a variation may need, in any arm. Nothing is stored. */
function takesPart(page: Page): Visitor | undefined {
  if (!('adoptedStyleSheets' in page.document && 'canParse' in URL)) return undefined
  try {
    return visitorOf(page)
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

/**
 * Tells the service that this host has the script, once in a session of the browser. Nothing is stored for somebody who is
 * no visitor, such as a person who asks for privacy: then each page view tells.
 */
function beatOnce(
  page: Page,
  { settings, revision }: { settings: EngineSettings; revision: number },
  visitor: Visitor | undefined,
): void {
  const told = `svc_beat ${settings.sdkKey} ${revision}`
  try {
    const { sessionStorage } = page
    if (sessionStorage[told]) return
    if (visitor) sessionStorage[told] = '1'
  } catch {
    // A browser can refuse its storage.
  }
  const instanceId = `web:${page.location.hostname}`
  const beat = { sdkKey: settings.sdkKey, sdkType: 'web', sdkVersion, instanceId, revision, evaluatedFlags: [] }
  post(settings.fetch, settings.heartbeatUrl, JSON.stringify(beat), true, new AbortController().signal, platform).catch(
    () => {},
  )
}
