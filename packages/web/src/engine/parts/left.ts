import { verdicts } from '../../../../sdk/src/visitors/tracking.ts'
import type { Host } from '../part.ts'

const probe = 'svc_probe'
const mostLeft = 10_000

/**
 * What a page has sent in its last moment and the service has not confirmed is sent by the next page of the session, with
 * the same ids, so that the service counts it once.
 */
export function createLeft(host: Host) {
  const { page, fetch: send, join, leave } = host
  const { sdkKey, eventsUrl, fetch } = host.settings
  const name = `svc_left${sdkKey}`
  let isLeaving = false
  let hasRefused = false
  const bodies = new Set<unknown>()
  const write = (): void => {
    try {
      if (bodies.size > 0) page.sessionStorage.setItem(name, JSON.stringify([...bodies]))
      else page.sessionStorage.removeItem(name)
    } catch {
      // It is full. What is sent with the last moment of the page arrives nearly always.
    }
  }
  try {
    for (const body of JSON.parse(page.sessionStorage.getItem(name) ?? '[]')) bodies.add(body)
  } catch {
    // A page can write anything into it.
  }

  host.fetch = async (address, init) => {
    const body = init?.body
    if (isLeaving) {
      bodies.add(body)
      write()
    }
    const answer = await send(address, init)
    // After a refusal, an answer must leave no trace.
    if (hasRefused) return Response.error()
    if ((answer.ok || verdicts.includes(answer.status)) && bodies.delete(body)) write()
    return answer
  }
  host.join = () => {
    join()
    for (const body of bodies)
      fetch(eventsUrl, { method: 'POST', body: String(body), keepalive: true, redirect: 'manual' }).catch(() => {})
  }
  host.leave = () => {
    hasRefused = true
    bodies.clear()
    leave()
  }

  return {
    /** Whether the storage takes as much as a page can leave. */
    canKeep(): boolean {
      try {
        page.sessionStorage.setItem(probe, '-'.repeat(mostLeft))
        page.sessionStorage.removeItem(probe)
        return true
      } catch {
        return false
      }
    },
    /** Sends what waits, and keeps it until it is confirmed. */
    sendNow(): void {
      isLeaving = true
      host.sendNow()
      isLeaving = false
    },
  }
}
