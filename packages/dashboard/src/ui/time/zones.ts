/** The zones that people can choose: the browser's first, then UTC, then all others. */
export const zonesFrom = (own: string, all: readonly string[]): string[] => [...new Set([own, 'UTC', ...all])]

/** The same, of what this browser knows, and the chosen one: an older name of a zone is not listed. */
export const zones = (chosen: readonly string[] = []): string[] =>
  zonesFrom(new Intl.DateTimeFormat().resolvedOptions().timeZone, [...Intl.supportedValuesOf('timeZone'), ...chosen])
