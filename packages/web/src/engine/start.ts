import type { EvaluationContext } from '@svc/core'
import { readSettings } from '../../../sdk/src/options.ts'
import { platform } from '../../../sdk/src/requests/platform.ts'
import { post } from '../../../sdk/src/requests/post.ts'
import { sdkVersion } from '../../../sdk/src/version.ts'
import { createTracking } from '../../../sdk/src/visitors/tracking.ts'
import type { Served } from '../script.ts'
import { watchAddress } from './addresses.ts'
import { contextOf, dimensionNames } from './context.ts'
import { createPlan } from './plan.ts'
import { createSheets } from './sheets.ts'
import { createVisit, type Taken } from './visit.ts'
import { remember, visitorOf } from './visitor.ts'

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
}

type Waiting = { q?: [name: keyof Api, ...given: never[]][] }

/** Starts web experiments in a page. */
export function start(page: Window & typeof globalThis, { baseUrl, sdkKey, ...content }: Served): Api {
  const { document, performance } = page
  // A program that drives a browser is no visitor. It sees what its id gives it.
  const isPerson = !page.navigator.webdriver
  const settings = readSettings({ sdkKey, baseUrl, tracking: isPerson, dimensions: dimensionNames })
  const tracking = createTracking(settings, platform)
  platform.onHide(tracking.hide)
  platform.onShow(tracking.show)

  const visitor = visitorOf(page)
  remember(visitor, page, content.web.settings.cookieDomain)
  const { referrer } = document
  const isLate = visitor.isNew && paintedMs(performance) > content.web.settings.maxDelayMs
  let own: Record<string, unknown> = {}
  const contextNow = (): EvaluationContext => ({
    ...contextOf(page, { isNew: visitor.isNew, referrer }),
    ...own,
    targetingKey: visitor.id,
  })

  const sheets = createSheets(document)
  const plan = createPlan({
    document,
    nextFrame: (work) => page.requestAnimationFrame(work),
    nowMs: () => performance.now(),
    onConflict: ({ selector }) => settings.warn(`a change of ${selector} rests: the page takes it away too often`),
  })
  const visit = createVisit(content, { setChanges: plan.set, setCss: sheets.set, expose: tracking.expose })
  const api: Api = {
    variations: {},
    track: (eventKey, options) => tracking.track(eventKey, { ...options, context: contextNow() }),
    identify: (userId) => api.setAttributes({ userId }),
    setAttributes(attributes) {
      own = { ...own, ...attributes }
      look()
    },
  }
  const look = (): void => {
    api.variations = visit(contextNow(), isLate)
  }
  look()
  watchAddress(page, look)
  beatOnce(page, { settings, revision: content.web.revision })

  const { q = [] } = ((page as { svc?: Waiting }).svc ?? {}) as Waiting
  Object.assign(page, { svc: api })
  for (const [name, ...given] of q) (api[name] as ((...given: never[]) => void) | undefined)?.(...given)
  return api
}

/** How long ago the page was painted for the first time, in milliseconds. */
function paintedMs(performance: Performance): number {
  const [first] = performance.getEntriesByType('paint')
  return first ? performance.now() - first.startTime : 0
}

/** Tells the service that this host has the script, once in a session of the browser. */
function beatOnce(
  page: Window & typeof globalThis,
  { settings, revision }: { settings: ReturnType<typeof readSettings>; revision: number },
): void {
  const told = `svc_beat ${revision}`
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
