import type { SetAside } from '../counting/index.ts'
import type { Results } from './schema.ts'

/** The sentence that people read about an incomplete snapshot. Null if the snapshot is complete. */
export function sentenceOf(parts: readonly { kind: SetAside['kind']; name: string }[]): string | null {
  const [first, ...others] = parts
  if (!first) return null
  const noun = first.kind === 'METRIC' ? 'metric' : 'dimension'
  if (others.length === 0) return `The ${noun} ${first.name} cannot be computed.`
  return `The ${noun} ${first.name} and ${others.length} ${others.length === 1 ? 'other part' : 'other parts'} cannot be computed.`
}

export const wholeFails = 'The results cannot be computed.'

/**
 * What results show while a snapshot fails as a whole: the figures of the last one, which people should not rely on.
 */
export function failedResults(last: Results, at: Date): Results {
  const others = last.health.checks.filter(({ check }) => check !== 'COMPUTATION')
  return {
    ...last,
    generatedAt: at.toISOString(),
    health: { status: 'FAILED', checks: [...others, { check: 'COMPUTATION', status: 'FAILED' }] },
    recommendation: last.recommendation && { action: 'UNHEALTHY', variationId: null, reasons: ['HEALTH_FAILED'] },
  }
}
