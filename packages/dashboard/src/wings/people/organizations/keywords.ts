/** One keyword per line, without blank lines and repetitions. */
export const keywordsIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** What the filter does, in a sentence. */
export function filterInWords(filter: { mode: 'INCLUDE' | 'EXCLUDE'; keywords: readonly string[] } | null): string {
  if (!filter) return 'Webhooks receive every event that they subscribe to.'
  const words = filter.keywords.map((keyword) => `“${keyword}”`).join(', ')
  return filter.mode === 'INCLUDE'
    ? `Webhooks receive only events about items whose name or key contains one of these words: ${words}.`
    : `Webhooks receive no events about items whose name or key contains one of these words: ${words}.`
}
