import type { Snippet } from '../../../ui/code/code-snippet.tsx'
import type { Metric } from './metric-words.ts'

interface Tracked {
  eventKey: string
  hasValue: boolean
}

interface Where {
  baseUrl: string
  sdkKey: string
}

const visitor = 'u-17'
const value = 49.9

/** The calls that send what the metric counts, with the key and the address of an environment. */
export function trackSnippets(
  { eventKey, valueFrom, denominator }: Pick<Metric, 'eventKey' | 'valueFrom' | 'denominator'>,
  where: Where,
): [Snippet, ...Snippet[]] {
  const first = { eventKey, hasValue: valueFrom === 'value' }
  const second =
    denominator && denominator.eventKey !== eventKey
      ? [{ eventKey: denominator.eventKey, hasValue: denominator.valueFrom === 'value' }]
      : []
  const all = [first, ...second]
  return [
    { language: 'JavaScript', code: all.map(inJavaScript).join('\n') },
    { language: 'Python', code: all.map(inPython).join('\n') },
    { language: 'HTTP', code: inShell(all, where) },
  ]
}

const inJavaScript = ({ eventKey, hasValue }: Tracked): string =>
  `client.track(${JSON.stringify(eventKey)}, { context: { targetingKey: '${visitor}' }${hasValue ? `, value: ${value}` : ''} })`

const inPython = ({ eventKey, hasValue }: Tracked): string =>
  `client.track(${JSON.stringify(eventKey)}, {"targetingKey": "${visitor}"}${hasValue ? `, value=${value}` : ''})`

function inShell(all: readonly Tracked[], { baseUrl, sdkKey }: Where): string {
  const events = all.map(({ eventKey, hasValue }, place) => ({
    ...{ type: 'track', id: `event-${place + 1}`, ts: '2026-11-20T10:00:00.000Z', unit: visitor, eventKey },
    ...(hasValue && { value }),
  }))
  const body = JSON.stringify({ sdkKey, events }).replaceAll("'", `'\\''`)
  return `curl ${baseUrl}/api/sdk/v1/events \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`
}
