import { announcement, type FromPage, messageFromPage, type ToPage, type Welcome, welcome } from '@svc/web/messages'

export interface Connection {
  /** Opens the session, once. */
  code: string
  /** The origin of the pages on which the editor is. */
  origin: string
  tell(message: ToPage): void
}

/**
 * Says to the page around this frame that it is there, and resolves with the answer. The page says its origin behind the
 * address; the browser lets no other page have this frame, and nobody but the window around it is heard.
 *
 * @returns undefined without a page around: somebody has opened the address of the frame
 */
export function connect(frame: Window, onMessage: (message: FromPage) => void): Promise<Connection> | undefined {
  const origin = originIn(frame.location.hash)
  const page = frame.parent
  if (origin === undefined || page === frame) return undefined
  return new Promise((resolve) => {
    const onWelcome = ({ data, origin: from, source, ports: [port] }: MessageEvent<Partial<Welcome> | null>): void => {
      if (from !== origin || source !== page || data?.type !== welcome || typeof data.code !== 'string' || !port) return
      frame.removeEventListener('message', onWelcome)
      port.onmessage = (event) => {
        const message = messageFromPage(event.data)
        if (message) onMessage(message)
      }
      resolve({ code: data.code, origin, tell: (message) => port.postMessage(message) })
    }
    frame.addEventListener('message', onWelcome)
    page.postMessage(announcement, origin)
  })
}

function originIn(hash: string): string | undefined {
  const text = hash.slice(1)
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined
  const { origin } = new URL(text)
  return origin === text ? origin : undefined
}
