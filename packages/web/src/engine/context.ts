import { factsOf } from '../../../sdk/src/web/facts.ts'

export { dimensionNames } from '../../../sdk/src/web/facts.ts'

/** What the engine knows of the page and the browser, by attribute. What the site sets comes before it. */
export function contextOf(
  page: Window,
  { isNew, referrer }: { isNew: boolean; referrer: string },
): Record<string, unknown> {
  const { location, navigator } = page
  return {
    ...factsOf({ address: location.href, referrer, isNew }),
    device: deviceOf(page),
    language: navigator.language,
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
