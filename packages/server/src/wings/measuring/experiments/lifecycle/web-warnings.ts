import {
  type Change,
  changesSomething,
  contextOfPage,
  noContent,
  pagesThatHold,
  sameSite,
  type WebContent,
} from '../../../model/web/index.ts'
import type { Warning } from './warnings.ts'

const maxNamed = 5

interface Tested {
  id: string
  key: string
}

/** Another experiment that visitors get, with changes of the same elements. */
export interface Overlap {
  shortId: number
  name: string
  /** It has ended, and its winner is served. */
  isRolledOut: boolean
  selectors: string[]
}

/** Whether pages do anything for a web experiment. Without content, SDKs alone read the variation. */
export const actsOnPages = ({ pages, variations }: WebContent, tested: readonly Tested[]): boolean =>
  pages.length > 0 || tested.some(({ id }) => changesSomething(variations[id] ?? noContent))

/** The selectors of all elements that a web experiment changes. */
export const changedSelectors = ({ variations }: WebContent, tested: readonly Tested[]): string[] => [
  ...new Set(tested.flatMap(({ id }) => (variations[id]?.changes ?? []).map(({ selector }) => selector))),
]

/** @param seenHosts the hosts whose pages loaded the script of the environment lately */
export function scriptNotSeen(web: WebContent, tested: readonly Tested[], seenHosts: readonly string[]): Warning[] {
  if (!actsOnPages(web, tested)) return []
  const hosts = hostsOf(web)
  const missing = hosts.filter((host) => !seenHosts.includes(host))
  if (hosts.length > 0 ? missing.length === 0 : seenHosts.length > 0) return []
  const where = hosts.length > 0 ? `on ${named(missing)}` : 'on any page'
  const message = `The script was not seen ${where} in the last 24 hours. Add the tag to the pages, or visitors take no part.`
  return [{ code: 'SCRIPT_NOT_SEEN', message }]
}

/** What to look at in what a web experiment does to pages, before visitors get it. */
export function webWarnings(
  web: WebContent,
  tested: readonly Tested[],
  { overlaps, cookieDomain }: { overlaps: readonly Overlap[]; cookieDomain: string | null },
): Warning[] {
  return [
    ...overlaps.map(overlapping),
    ...tested.flatMap((variation) => redirectWarnings(web, variation, cookieDomain)),
    ...tested.flatMap((variation) => activationChanged(web, variation)),
  ]
}

function overlapping({ shortId, name, isRolledOut, selectors }: Overlap): Warning {
  const who = isRolledOut ? 'rolled-out winner of the' : 'running'
  const advice = isRolledOut
    ? 'Build the winner into the site and archive its experiment'
    : 'Put both into one exclusion group'
  const message = `The ${who} experiment x${shortId} (${name}) also changes ${named(selectors)}. Where both act, visitors of both get a mixture. ${advice}, or change other elements.`
  return { code: 'SELECTOR_OVERLAP', message }
}

function redirectWarnings(web: WebContent, { id, key }: Tested, cookieDomain: string | null): Warning[] {
  const url = web.variations[id]?.redirect?.url
  const target = url === undefined ? undefined : contextOfPage(url)
  if (url === undefined || target === undefined) return []
  const [page] = pagesThatHold(web.pages, target)
  const host = target['page.host']!
  const secure = web.pages.find((each) => /^https:/i.test(each.url ?? ''))?.url
  const leaves = hostsOf(web).find((from) => !sameSite(from, host, cookieDomain))
  return [
    ...(page === undefined
      ? []
      : [
          {
            code: 'REDIRECT_TARGET_IS_A_PAGE' as const,
            message: `${key} redirects to ${url}, which is the page ${page} of the experiment. Visitors who come there by themselves take part too. Make the conditions of the page narrower, or use another address.`,
          },
        ]),
    ...(leaves === undefined
      ? []
      : [
          {
            code: 'REDIRECT_LEAVES_SITE' as const,
            message: `${key} redirects from ${leaves} to ${host}. The cookie with the visitor id does not go along, so what visitors do there is not counted for them.`,
          },
        ]),
    ...(secure === undefined || !/^http:/i.test(url)
      ? []
      : [
          {
            code: 'REDIRECT_LEAVES_HTTPS' as const,
            message: `${key} redirects from ${secure} to ${url}. Pages without HTTPS do not get the cookie with the visitor id, so what visitors do there is not counted for them. Use https.`,
          },
        ]),
  ]
}

function activationChanged({ activationSelector, variations }: WebContent, { id, key }: Tested): Warning[] {
  const change = (variations[id]?.changes ?? []).find(
    (each) => each.selector === activationSelector && takesAway(each) !== undefined,
  )
  if (!change) return []
  const message = `${key} ${takesAway(change)} ${change.selector}, which decides when a visitor is counted, so its visitors are counted otherwise. Use an activationSelector that is the same in every variation.`
  return [{ code: 'ACTIVATION_CHANGED', message }]
}

/** What a change does to an element that can no longer be seen as before; undefined if it can. */
function takesAway(change: Change): string | undefined {
  switch (change.type) {
    case 'HIDE':
      return 'hides'
    case 'MOVE':
      return 'moves'
    case 'HTML':
      return 'replaces'
    case 'STYLE': {
      const { display, visibility } = change.value
      return display?.trim() === 'none' || visibility?.trim() === 'hidden' ? 'hides' : undefined
    }
    default:
      return undefined
  }
}

/** Where people open the pages. */
const hostsOf = ({ pages }: WebContent): string[] => [
  ...new Set(pages.flatMap(({ url }) => (url === null ? [] : (contextOfPage(url)?.['page.host'] ?? [])))),
]

const named = (texts: readonly string[]): string =>
  texts.length > maxNamed
    ? `${texts.slice(0, maxNamed).join(', ')} and ${texts.length - maxNamed} more`
    : texts.join(', ')
