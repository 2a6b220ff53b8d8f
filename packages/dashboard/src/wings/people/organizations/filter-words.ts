/** What the filter does, in a sentence. */
export function filterInWords(filter: { mode: 'INCLUDE' | 'EXCLUDE'; keywords: readonly string[] } | null): string {
  if (!filter) return 'Webhooks and destinations receive every event that they subscribe to.'
  const words = filter.keywords.map((keyword) => `“${keyword}”`).join(', ')
  return filter.mode === 'INCLUDE'
    ? `Webhooks and destinations receive only events about items whose name or key contains one of these words: ${words}.`
    : `Webhooks and destinations receive no events about items whose name or key contains one of these words: ${words}.`
}

/** The same beside a webhook: "Organization filter: leaves out “sandbox”." */
export function filterInShort({
  mode,
  keywords,
}: {
  mode: 'INCLUDE' | 'EXCLUDE'
  keywords: readonly string[]
}): string {
  const words = keywords.map((keyword) => `“${keyword}”`).join(', ')
  return `Organization filter: ${mode === 'INCLUDE' ? 'lets through only' : 'leaves out'} ${words}.`
}

const counted = (count: number) => count.toLocaleString('en')

/** How many of the events of the last days pass, in a sentence. */
export function previewInWords({ events, passed }: { events: number; passed: number }, days: number): string {
  const span = days === 1 ? 'the last day' : `the last ${days} days`
  if (events === 0) return `No event happened in ${span}.`
  if (events === 1) return `The one event of ${span} ${passed === 1 ? 'passes' : 'does not pass'}.`
  if (passed === events) return `All ${counted(events)} events of ${span} pass.`
  if (passed === 0) return `None of the ${counted(events)} events of ${span} passes.`
  return `Of ${counted(events)} events in ${span}, ${counted(passed)} ${passed === 1 ? 'passes' : 'pass'}.`
}
