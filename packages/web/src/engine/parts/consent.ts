import { isRedirecting } from '../../redirecting.ts'
import type { Part } from '../part.ts'

/** Says that the visitor has agreed. The cookie with the id does not: it can be older than the question. */
const mark = 'svc_consent'

/** Asks before anything is stored or sent. Until the answer, the page stays as it is, or is changed without any trace. */
const consent: Part = ({ page, api, cookies, web, join, leave, look }) => {
  const isHeld = web.settings.pending === 'HOLD'
  let isOpen = !page.document.cookie.includes(`${mark}=`)
  /** The visitor has agreed, and takes part from the next page view on. */
  let joinsLater = false
  let address: string | undefined
  /** Whether this page view began without an answer. */
  let beganOpen = false

  if (!isOpen) join()
  api.consent = (isGiven) => {
    if (!isGiven) {
      isOpen = joinsLater = false
      cookies.drop(mark)
      return leave()
    }
    cookies.keep(mark, '1')
    if (!isOpen) return
    isOpen = false
    joinsLater = isHeld && address !== undefined
    if (joinsLater) return
    join()
    look()
  }
  return (all) => {
    const { href } = page.location
    if (href !== address) {
      address = href
      beganOpen = isOpen
      if (joinsLater) join()
      joinsLater = false
    }
    if (!beganOpen) return all
    // What waits in memory would not survive a redirect.
    return isHeld ? [] : all.filter(({ experiment }) => !isRedirecting(experiment))
  }
}

svcParts.push(consent)
