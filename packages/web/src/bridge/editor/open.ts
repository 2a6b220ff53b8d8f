import { openFrame } from './frame.ts'
import { createOverlay } from './overlay.ts'
import { startSession } from './session.ts'

interface Opening {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  /** Of the script on the page: a code opens only sessions of its project. */
  sdkKey: string
  /** Opens the session once: its id, a dot and a secret. */
  code: string
  /** Keeps the code for the next page of this tab; null forgets it. */
  keep(code: string | null): void
  /** Starts what visitors get, because the code opens nothing: anybody can write one into a link. */
  start(): void
}

/** Puts the editor into a page that has loaded. */
export function openOnPage(page: Window & typeof globalThis, { keep, ...service }: Opening): void {
  const overlay = createOverlay(page)
  openFrame(page, overlay, service, (port, frame) =>
    startSession(page, { port, frame, overlay, keep, start: service.start }),
  )
}
