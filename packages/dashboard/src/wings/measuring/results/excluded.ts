import { counted } from '../../../ui/words/lists.ts'
import type { Results } from './figures.ts'

/** Who was seen and does not count, each kind in words. */
export function excludedWords({ crossover, bot, override, paused = 0 }: Results['units']['excluded']): string[] {
  return [
    ...(crossover > 0 ? [`${counted(crossover, 'visitor')} seen in several variations`] : []),
    ...(bot > 0 ? [counted(bot, 'bot')] : []),
    ...(override > 0 ? [`${counted(override, 'visitor')} of an allowlist`] : []),
    ...(paused > 0 ? [`${counted(paused, 'visitor')} seen while the test did not run`] : []),
  ]
}
