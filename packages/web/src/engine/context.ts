import { pageContext } from '@svc/core'

const campaign = ['utm_source', 'utm_medium']

/** The facts of a visit by which results can be split. None of them is an address or a path. */
export const dimensionNames = ['device', 'language', 'visitor', ...campaign, 'referrer']

/** What the engine knows of the page and the browser, by attribute. What the site sets comes before it. */
export function contextOf(
  page: Window,
  { isNew, referrer }: { isNew: boolean; referrer: string },
): Record<string, unknown> {
  const { location, navigator } = page
  const here = pageContext(location.href, referrer)
  const named = Object.fromEntries(
    campaign.flatMap((name) => (here[`page.query.${name}`] ? [[name, here[`page.query.${name}`]]] : [])),
  )
  return {
    ...here,
    ...named,
    device: deviceOf(page),
    language: navigator.language,
    visitor: isNew ? 'new' : 'known',
    'visitor.isNew': isNew,
    ...(URL.canParse(referrer) && { referrer: new URL(referrer).hostname }),
  }
}

/**
 * Where fingers point, by the shorter side of the screen in CSS pixels, so that turning a phone does not change it. A
 * laptop with a touch screen is a desktop.
 */
function deviceOf(page: Window): string {
  const { screen } = page
  if (!page.matchMedia('(pointer:coarse)').matches) return 'desktop'
  return Math.min(screen.width, screen.height) < 600 ? 'mobile' : 'tablet'
}
