import { targetOf } from '../../../../sdk/src/web/redirect.ts'
import { isRedirecting } from '../../redirecting.ts'
import type { Part } from '../part.ts'
import type { Given } from '../visit.ts'
import { createLeft } from './left.ts'

const mostInMinute = 5
const hiddenMs = 1_000
const softMs = 500

/**
 * Sends visitors to the address of their variation. What waits is sent and kept for the next page before anybody leaves,
 * in every arm alike: otherwise, the arms that leave would lose visitors.
 */
const redirects: Part = (host) => {
  const { page, api } = host
  const { sdkKey, warn } = host.settings
  const { location } = page
  const left = createLeft(host)
  const went = `svc_went${sdkKey}`
  /** Where the visitor goes, as the page was decided last. */
  let isGoingTo: string | undefined

  /** Notes that the visitor goes. False if this happens too often: two addresses send the visitor to each other. */
  const mayGo = (href: string): boolean => {
    if (isGoingTo === href) return true
    const nowMs = Date.now()
    const times: string[] = page.sessionStorage[went]?.split(' ') ?? []
    const recent = times.filter((each) => nowMs - Number(each) < 60_000)
    if (recent.length >= mostInMinute) {
      warn(`a redirect to ${href} rests: it happens too often`)
      return false
    }
    page.sessionStorage[went] = [...recent, nowMs].join(' ')
    return true
  }

  const goHard = (address: string): void => {
    // The visitor is there, or the page was decided otherwise since.
    if (isGoingTo !== address) return
    host.setCss(went, 'html{visibility:hidden!important}')
    page.setTimeout(() => host.setCss(went, ''), hiddenMs)
    location.replace(address)
  }

  const go = (href: string): void => {
    const target = new URL(href)
    const goSoft = target.origin === location.origin && api.redirect
    if (goSoft)
      try {
        if (goSoft(target.pathname + target.search + target.hash) !== false) {
          page.setTimeout(() => goHard(href), softMs)
          return
        }
      } catch (fault) {
        warn('svc.redirect failed', fault)
      }
    goHard(href)
  }

  return (all) => {
    const split = all.filter(({ experiment }) => isRedirecting(experiment))
    // In a browser without a storage, or with a full one, visitors of one arm alone would be lost.
    const isKept = split[0] && left.canKeep()
    const [first] = (isKept ? split : []).flatMap((given) => {
      const goal = goalOf(given, location)
      return goal ? { given, goal } : []
    })
    const going = first && mayGo(first.goal) ? first : undefined
    const isUnderWay = going?.goal === isGoingTo
    isGoingTo = going?.goal
    // The address can have come without a load: only its hash is new, or the site has a router.
    if (!going) host.setCss(went, '')
    if (!isKept) return all.filter((given) => !split.includes(given))
    // Once all visitors are counted. Meanwhile, the visitor can have refused.
    queueMicrotask(() => {
      left.sendNow()
      if (going && !isUnderWay && going.goal === isGoingTo) go(going.goal)
    })
    // The visitor sees nothing of other experiments on this page.
    return going ? [going.given] : all
  }
}

/** Where the visitor goes; null for who stays, also because the page is the target. */
function goalOf({ experiment, found }: Given, { href }: Location): string | null {
  const redirect = experiment.variations[found.variationKey!]?.redirect
  return redirect ? targetOf(redirect, href, true) : null
}

svcParts.push(redirects)
