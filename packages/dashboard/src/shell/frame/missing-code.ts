import { useEffect, useState } from 'react'

const missing = new WeakSet<object>()

/**
 * Notes that the code of a page did not arrive: the service is away or, after an upgrade, its files have other names. By
 * itself, the router would load the document at once, and the browser would show its own page while the service is away.
 * It knows such errors by their message.
 */
export function noteMissingCode(error: Error): void {
  missing.add(error)
  error.message = 'The code of this page could not be loaded.'
}

export const isMissingCode = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && missing.has(error)

const askEveryMs = 1_000
/** Within this time, the document is loaded only once for this reason. Otherwise it could be loaded forever. */
const againAfterMs = 10_000
const key = 'svc.code-loaded-at'

/**
 * Loads the document again as soon as the service answers: it then names the files as they are now. Returns whether the
 * page waits for that. What was typed is kept by its form.
 */
export function useCodeAgain(error: unknown): boolean {
  const isMissing = isMissingCode(error)
  const [waits] = useState(() => isMissing && Date.now() - Number(sessionStorage.getItem(key) ?? 0) > againAfterMs)
  useEffect(() => {
    if (!waits) return
    let isOver = false
    void whenReady(() => isOver).then(() => {
      if (isOver) return
      sessionStorage.setItem(key, String(Date.now()))
      location.reload()
    })
    return () => {
      isOver = true
    }
  }, [waits])
  return waits
}

async function whenReady(isOver: () => boolean): Promise<void> {
  while (!isOver() && !(await isServed())) await new Promise((resolve) => setTimeout(resolve, askEveryMs))
}

/** Whether a document that is loaded now would be complete: without its script it would stay empty. */
async function isServed(): Promise<boolean> {
  try {
    const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(page.ok ? await page.text() : '') ?? []
    return script !== undefined && (await fetch(script)).ok
  } catch {
    return false
  }
}
