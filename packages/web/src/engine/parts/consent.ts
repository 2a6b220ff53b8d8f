import { isRedirecting } from '../../redirecting.ts'
import type { Part } from '../part.ts'

/** Says that the visitor has agreed. The cookie with the id does not: it can be older than the question. */
const mark = 'svc_consent'

/** Asks before anything is stored or sent. Until the answer, the page stays as it is, or is changed without any trace. */
const consent: Part = (host) => {
  const { page, api, cookies, web, look } = host
  const { track } = api
  const isHeld = web.settings.pending === 'HOLD'
  let isOpen = !isMarked(page)
  /** The visitor has agreed, and takes part from the next page view on. It can be the first one. */
  let joinsLater = !isOpen
  let address: string | undefined
  /** Whether this page view began without an answer. */
  let beganOpen = false

  // Whoever holds back the page tells nothing of it later, either.
  if (isHeld)
    api.track = (...given) => {
      if (!isOpen && !beganOpen) track(...given)
    }
  api.consent = (isGiven) => {
    if (!isGiven) {
      isOpen = joinsLater = false
      cookies.drop(mark)
      return host.leave()
    }
    cookies.keep(mark, '1')
    if (!isOpen) return
    isOpen = false
    joinsLater = isHeld && address !== undefined
    if (joinsLater) return
    host.join()
    look()
  }
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
    return document.cookie.includes(`${mark}=`)
  } catch {
    // A frame without an origin has no cookies.
    return false
  }
}

svcParts.push(consent)
