/** One on each line; blank lines and repetitions count for nothing. */
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
  if (!filter) return 'Every event reaches the webhooks that are subscribed to it.'
  const words = filter.keywords.map((keyword) => `“${keyword}”`).join(', ')
  return filter.mode === 'INCLUDE'
    ? `Only events about things whose name or key contains one of these words reach webhooks: ${words}.`
    : `Events about things whose name or key contains one of these words do not reach webhooks: ${words}.`
}
