import { announcement, type Welcome, welcome } from './messages.ts'
import type { Overlay } from './overlay.ts'

type Page = Window & typeof globalThis

/** How long the frame may take to say that it is there. */
const answerMs = 15_000

/**
 * Puts the page of the editor into a frame, and gives it a port and the code once it says that it is there. Both sides
 * check who speaks: the page knows the frame by its window and the origin of the service, and the frame knows the page by
 * its window and the origin that stands behind the address.
 */
export function openFrame(
  page: Page,
  overlay: Overlay,
  { baseUrl, sdkKey, code, start }: { baseUrl: string; sdkKey: string; code: string; start(): void },
  onPort: (port: MessagePort, frame: HTMLIFrameElement) => void,
): void {
  const { document } = page
  const service = new URL(baseUrl).origin
  const frame = document.createElement('iframe')
  frame.title = 'Visual editor'
  frame.allow = 'clipboard-write'
  frame.src = `${baseUrl}/web/editor/${code.split('.')[0]}?sdkKey=${sdkKey}#${page.location.origin}`

  const end = (): void => {
    page.clearTimeout(late)
    page.removeEventListener('message', onMessage)
    document.removeEventListener('securitypolicyviolation', onViolation)
  }
  const onMessage = ({ data, origin, source }: MessageEvent): void => {
    if (data !== announcement || origin !== service || source !== frame.contentWindow) return
    end()
    const { port1, port2 } = new page.MessageChannel()
    frame.contentWindow!.postMessage({ type: welcome, code } satisfies Welcome, service, [port2])
    onPort(port1, frame)
  }
  const onViolation = ({ blockedURI, effectiveDirective, disposition }: SecurityPolicyViolationEvent): void => {
    // A policy that only reports blocks nothing.
    if (
      disposition === 'report' ||
      !blockedURI.startsWith(service) ||
      !/^(?:frame|child|default)-src$/.test(effectiveDirective)
    )
      return
    end()
    start()
    overlay.dock(
      notice(document, overlay, [
        'The Content-Security-Policy of this page does not allow the editor. Add this to the policy, and open the editor again:',
        `frame-src ${service}`,
      ]),
    )
  }
  const late = page.setTimeout(() => {
    end()
    start()
    const words = ['The editor does not answer. Check that this browser reaches', service, 'and open the editor again.']
    overlay.dock(notice(document, overlay, words))
  }, answerMs)

  page.addEventListener('message', onMessage)
  document.addEventListener('securitypolicyviolation', onViolation)
  overlay.dock(frame)
}

/** What a person reads in place of the frame. Every second text is code. */
function notice(document: Document, overlay: Overlay, words: readonly string[]): HTMLElement {
  const box = document.createElement('div')
  box.className = 'notice'
  box.role = 'alert'
  for (const [at, text] of words.entries()) {
    const part = document.createElement('p')
    const code = document.createElement('code')
    part.append(at % 2 === 1 ? code : text)
    code.append(text)
    box.append(part)
  }
  const close = document.createElement('button')
  close.append('Close')
  close.addEventListener('click', () => overlay.remove())
  box.append(close)
  return box
}
