import { isRedirecting } from '../../redirecting.ts'
import type { Part } from '../part.ts'

/** Says that the visitor has agreed. The cookie with the id does not: it can be older than the question. */
const mark = 'svc_consent'

/** Asks before anything is stored or sent. Until the answer, the page stays as it is, or is changed without any trace. */
const consent: Part = (host) => {
  const { page, api, cookies, web, look } = host
  const { track } = api
  const isHeld = web.settings.pending === 'HOLD'
  let isAgreed = isMarked(page)
  let isOpen = !isAgreed
  /** The visitor has agreed, and takes part from the next page view on. It can be the first one. */
  let joinsLater = isAgreed
  let address: string | undefined
  /** Whether this page view began without an answer. */
  let beganOpen = false

  // Whoever holds back the page tells nothing of it later, either.
  if (isHeld)
    api.track = (...given) => {
      if (!isOpen && !beganOpen) track(...given)
    }
  const answer = (isGiven: boolean): void => {
    if (!isGiven) {
      isAgreed = isOpen = joinsLater = false
      cookies.drop(mark)
      return host.leave()
    }
    // The visitor has answered in a different tab, which has another id. Two ids would be two visitors.
    if (isOpen && isMarked(page)) return
    cookies.keep(mark, '1')
    if (!isOpen) return
    isOpen = false
    isAgreed = true
    joinsLater = isHeld && address !== undefined
    if (joinsLater) return
    host.join()
    look()
  }
  api.consent = answer
  /** The visitor can refuse in a different tab, or on a page from which the browser brings back this one. */
  const hear = (): void => {
    if (isAgreed && !isMarked(page)) answer(false)
  }
  const { cookieStore } = page as { cookieStore?: EventTarget }
  cookieStore?.addEventListener('change', hear)
  // Where the browser does not tell of cookies, at least when the visitor looks at this page again.
  for (const name of ['visibilitychange', 'pageshow']) page.addEventListener(name, hear)
  return (all) => {
    const { href } = page.location
    if (href !== address) {
      address = href
      beganOpen = isOpen
      if (joinsLater) host.join()
      joinsLater = false
    }
    if (!beganOpen) return all
    // What waits in memory would not survive a redirect.
    return isHeld ? [] : all.filter(({ experiment }) => !isRedirecting(experiment))
  }
}

function isMarked({ document }: Window): boolean {
  try {
    return document.cookie.split('; ').includes(`${mark}=1`)
  } catch {
    // A frame without an origin has no cookies.
    return false
  }
}

svcParts.push(consent)
