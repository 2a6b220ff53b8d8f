import { memoryOf } from './memory.ts'
import { whenLoaded } from './when-loaded.ts'

interface Service {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  /** Opens the editor once: the id of the session, a dot and a secret. */
  code: string
}

/** Puts the frame of the editor into the page, whose code only the frame can redeem. */
export function openEditor(page: Window & typeof globalThis, { baseUrl, code }: Service): void {
  // It works once: a page that is loaded again must not send it a second time, because that ends the session.
  memoryOf(page).setDoor(null)
  whenLoaded(page, () => {
    const { document } = page
    const host = document.createElement('svc-editor')
    const frame = document.createElement('iframe')
    frame.src = `${baseUrl}/web/editor/${code.split('.')[0]}`
    host.attachShadow({ mode: 'closed' }).append(frame)
    document.documentElement.append(host)
  })
}
