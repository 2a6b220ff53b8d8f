import { Writable } from 'node:stream'
import { type Client, createClient } from '@svc/sdk'
import { useFlag } from '@svc/sdk/react'
import { version } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { gate, Shop } from './shop.tsx'

export { createClient, version }

/** Renders a component that reads a flag and has no provider. */
export const renderAlone = (): string => renderToString(<Alone />)

function Alone() {
  return <p>{useFlag('copy', 'Pay now')}</p>
}

/**
 * Renders the shop as a server does. `afterShell` runs after the first part of the page has been made and before the
 * late one.
 */
export function renderShop(
  client: Client,
  { suspense = false, readyTimeoutMs = 2_000, afterShell }: Options = {},
): Promise<string> {
  let html = ''
  const { open, wait } = gate()
  const sink = new Writable({
    write(chunk, _encoding, done) {
      html += chunk
      done()
    },
  })
  return new Promise((resolve, reject) => {
    sink.once('finish', () => resolve(html))
    const { pipe } = renderToPipeableStream(
      <Shop client={client} suspense={suspense} readyTimeoutMs={readyTimeoutMs} {...(afterShell && { wait })} />,
      {
        async onShellReady() {
          pipe(sink)
          await afterShell?.()
          open()
        },
        onError: reject,
      },
    )
  })
}

interface Options {
  suspense?: boolean
  readyTimeoutMs?: number
  afterShell?: () => Promise<unknown>
}
