import type { Host } from '../part.ts'

/**
 * What a page has sent in its last moment and the service has not confirmed is sent by the next page of the session, with
 * the same ids, so that the service counts it once. Undefined where the browser refuses its storage.
 */
export function createLeft(host: Host) {
  const { page, fetch: send } = host
  const { sdkKey, eventsUrl } = host.settings
  const name = `svc_left${sdkKey}`
  let isLeaving = false
  let bodies: Set<unknown>
  const write = (): void => {
    try {
      if (bodies.size > 0) page.sessionStorage.setItem(name, JSON.stringify([...bodies]))
      else page.sessionStorage.removeItem(name)
    } catch {
      // It is full. What is sent with the last moment of the page arrives nearly always.
    }
  }
  try {
    bodies = new Set(JSON.parse(page.sessionStorage.getItem(name) ?? '[]'))
  } catch {
    return undefined
  }

  host.fetch = async (address, init) => {
    const body = init?.body
    if (isLeaving) {
      bodies.add(body)
      write()
    }
    const answer = await send(address, init)
    if (answer.ok && bodies.delete(body)) write()
    return answer
  }
  for (const body of bodies)
    host.fetch(eventsUrl, { method: 'POST', body: String(body), keepalive: true }).catch(() => {})

  return {
    /** Sends what waits, and keeps it until it is confirmed. */
    sendNow(): void {
      isLeaving = true
      host.sendNow()
      isLeaving = false
    },
  }
}
