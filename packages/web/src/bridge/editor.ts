import { openOnPage } from './editor/open.ts'
import { memoryOf } from './memory.ts'
import { whenLoaded } from './when-loaded.ts'

interface Opening {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  /** Of the script on the page: a code opens only sessions of its project. */
  sdkKey: string
  /** Opens the editor once: the id of the session, a dot and a secret. */
  code: string
  /** Starts what visitors get. */
  start(): void
}

/** Puts the frame of the editor into the page, whose code only the frame can redeem. */
export function openEditor(page: Window & typeof globalThis, service: Opening): void {
  const memory = memoryOf(page)
  // It works once: a page that is loaded again must not send it a second time, because that ends the session.
  memory.setDoor(null)
  const keep = (code: string | null) => void memory.setDoor(code === null ? null : `svc-editor=${code}`)
  whenLoaded(page, () => openOnPage(page, { ...service, keep }))
}
