import type { Conversions } from './arm.ts'
import { normalQuantile } from './distributions.ts'
import { figures } from './figures.ts'

/**
 * Wilson's score interval of a share, for display. It stays within 0 and 1 and holds for few conversions.
 * Source: Wilson 1927; R `prop.test(correct = FALSE)`.
 */
export function wilsonInterval({ n, sum }: Conversions, alpha: number) {
  const z2 = normalQuantile(1 - alpha / 2) ** 2
  const centre = (sum + z2 / 2) / (n + z2)
  const halfWidth = (Math.sqrt(z2) / (n + z2)) * Math.sqrt((sum * (n - sum)) / n + z2 / 4)
  return figures({
    // The formula leaves a rest of rounding at both ends.
    ciLow: sum === 0 && n > 0 ? 0 : centre - halfWidth,
    ciHigh: sum === n && n > 0 ? 1 : centre + halfWidth,
  })
}
