const daysPerWeek = 7

/**
 * How long a test runs. `days` is the time until all arms have their units; `recommendedDays` is the same in whole weeks,
 * because visitors of Saturdays differ from those of Mondays, and at least one. Null without traffic.
 *
 * @param coverage the share of eligible units that take part, 0 to 1
 */
export function runtime({
  perVariation,
  variations,
  dailyUnits,
  coverage = 1,
}: {
  perVariation: number
  variations: number
  dailyUnits: number
  coverage?: number
}): { days: number | null; recommendedDays: number | null } {
  const daily = dailyUnits * coverage
  const days = Math.ceil((perVariation * variations) / daily)
  if (!(daily > 0) || !Number.isFinite(days)) return { days: null, recommendedDays: null }
  return { days, recommendedDays: Math.max(1, Math.ceil(days / daysPerWeek)) * daysPerWeek }
}

/** How far a test is: the units of its smallest arm as a share of the planned ones, at most 1. Null without a plan. */
export function progress(smallestArm: number, plannedPerVariation: number | null): number | null {
  return plannedPerVariation ? Math.min(1, smallestArm / plannedPerVariation) : null
}
