import { waitsForFramework } from '../../hydrating.ts'
import type { Part } from '../part.ts'

const roots =
  '#__next,#__nuxt,#___gatsby,#__docusaurus,astro-island,[data-reactroot],[ng-server-context],[content^=VitePress],script[src*="/_next/"]'
/** On a slow processor, a framework takes over for longer, and changes nothing meanwhile. Safari does not tell when it is idle. */
const quietMs = 300
const longestMs = 5_000
const hiddenMs = 1_000

/**
 * Holds back the changes that would make a framework render anew, until it has taken over the HTML of its server. Only
 * their targets are hidden, and not for long.
 */
const hydration: Part = ({ page, setCss, look }) => {
  const { document } = page
  let isOver = false
  /** Whether the page has a framework; undefined until its first element is there. */
  let hasFramework: boolean | undefined
  let selectors: string[] = []
  let quiet: number | undefined
  let mayHide = true
  /** Whether the page was decided since no framework was found. */
  let isReleased = false

  const end = (): void => {
    if (isOver) return
    isOver = true
    changes.disconnect()
    setCss('hydration', '')
    look()
  }
  const isThere = (selector: string): boolean => {
    try {
      return document.querySelector(selector) !== null
    } catch {
      // The browser does not know the selector, so its change rests.
      return false
    }
  }
  /** Finds the framework when the first element is there: by then, the head is parsed and the roots stand around it. */
  const detect = (): void => {
    if (hasFramework !== undefined) return
    if (document.readyState === 'loading' && !selectors.some(isThere)) return
    hasFramework = document.querySelector(roots) !== null
    page.setTimeout(() => {
      mayHide = false
      look()
    }, hiddenMs)
    page.setTimeout(end, longestMs)
  }
  const wait = (): void => {
    page.clearTimeout(quiet)
    if (document.readyState === 'complete')
      quiet = page.setTimeout(() => page.requestIdleCallback?.(end) ?? end(), quietMs)
  }
  const onChange = (): void => {
    wait()
    detect()
    if (hasFramework === false && !isReleased) look()
  }
  const changes = new page.MutationObserver(onChange)
  // From the start, also where nothing has to wait: the visitor can come to such a page without a load.
  changes.observe(document, { childList: true, subtree: true, characterData: true })
  document.addEventListener('readystatechange', onChange)
  wait()

  return (all) => {
    if (isOver) return all
    const waiting = all.filter(({ experiment }) => experiment.applyAt !== 'EARLY')
    selectors = waiting.flatMap((given) => given.changes.filter(waitsForFramework).map(({ selector }) => selector))
    detect()
    isReleased = hasFramework === false
    const hidden: string[] = []
    for (const given of waiting) {
      if (isReleased && given.experiment.applyAt === 'AUTO') continue
      for (const { type, selector } of given.changes)
        if (mayHide && waitsForFramework({ type }) && type !== 'INSERT') hidden.push(selector)
      const { length } = given.changes
      given.changes = given.changes.filter((change) => !waitsForFramework(change))
      given.isHeld = given.experiment.applyAt === 'HYDRATED' || given.changes.length < length
    }
    setCss('hydration', hidden.map((selector) => `${selector}{visibility:hidden!important}`).join(''))
    return all
  }
}

svcParts.push(hydration)
