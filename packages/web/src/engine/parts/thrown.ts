import type { Evaluation, EvaluationContext } from '@svc/core'
import type { CodeTable } from '../../script.ts'
import type { Host } from '../part.ts'

/** Code that has run, and for whom. */
export interface Ran {
  /** Its place in the table. */
  number: number
  found: Evaluation
  context: EvaluationContext
}

const places = /(\w+:\/\/\S*):(\d+):\d+/g
const mostTold = 5

/**
 * Tells what code has thrown: at once, or later from its own lines of the script. What waits for the consent of the visitor
 * is kept in memory.
 */
export function createThrown(host: Host, [stack, ...functions]: CodeTable) {
  const { page, settings, join, leave } = host
  const [[, file, begin] = []] = [...String(stack).matchAll(places)]
  /** By number. */
  const ran: Ran[] = []
  let told = 0
  let waiting: object[] = []
  let isJoined = false

  const send = (): void => {
    if (!isJoined || !waiting[0]) return
    const body = JSON.stringify({ sdkKey: settings.sdkKey, events: waiting })
    waiting = []
    host.fetch(settings.eventsUrl, { method: 'POST', body, keepalive: true }).catch(() => {})
  }
  host.join = () => {
    join()
    isJoined = true
    send()
  }
  host.leave = () => {
    waiting = []
    isJoined = false
    leave()
  }

  /** The first of these places that is in a code. */
  const placeIn = (text: unknown) => {
    for (const [, where, line] of String(text).matchAll(places)) {
      const at = where === file ? Number(line) - Number(begin) : 0
      const number = functions.findIndex(([first, last]) => first <= at && at <= last)
      if (functions[number]) return { number, line: at - functions[number][0] + 1 }
    }
    return undefined
  }
  const tell = ({ number, found, context }: Ran, fault: unknown, line: number | null): void => {
    // Who sees what was rolled out, or asked for a variation, is no visitor of the test.
    if (found.reason !== 'SPLIT' || page.navigator.webdriver || told >= mostTold) return
    told++
    waiting.push({
      ...{ type: 'error', id: page.crypto.getRandomValues(new Uint32Array(4)).join('-'), ts: Date.now() },
      ...{ unit: host.unitOf(found, context), ruleId: found.ruleId, variationKey: found.variationKey },
      ...{ codeVersion: functions[number]![2], message: String(fault).slice(0, 200), line },
    })
    send()
  }
  const tellLater = (text: unknown, fault: unknown): void => {
    const place = placeIn(text)
    const each = place && ran[place.number]
    if (each) tell(each, fault, place.line)
  }
  page.addEventListener('error', ({ filename, lineno, error, message }) =>
    tellLater(`${filename}:${lineno}:0`, error ?? message),
  )
  page.addEventListener('unhandledrejection', ({ reason }) => tellLater(reason?.stack, reason))

  return {
    /** A new page view has its own errors. */
    begin(): void {
      told = 0
    },
    /** Runs a piece of code at once. It does not end anything else when it throws, also what cannot be told. */
    async attempt(each: Ran, act: () => unknown): Promise<void> {
      ran[each.number] = each
      try {
        act()
      } catch (fault) {
        settings.warn(`the code of ${each.found.variationKey} failed`, fault)
        tell(each, fault, placeIn((fault as Error | null)?.stack)?.line ?? null)
      }
    },
  }
}
