import type { Client } from '@svc/sdk'
import { SvcBootstrap, SvcProvider, useFlag, useFlagDetails, useFlags, useSvcClient, useTrack } from '@svc/sdk/react'
import { type ReactNode, Suspense, useEffect } from 'react'

/** How often each component has rendered and, for the theme, how often its effect has run. */
export const counts: Record<string, number> = {}

const count = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

function Checkout() {
  count('checkout')
  return <p id="checkout">{String(useFlag('new-checkout', false))}</p>
}

function Copy() {
  count('copy')
  const { value, variationKey, reason } = useFlagDetails('copy', 'Pay now')
  return <p id="copy">{`${value} ${variationKey} ${reason}`}</p>
}

function Theme() {
  count('theme')
  const theme = useFlag('theme', { color: 'blue' })
  useEffect(() => count('themes'), [theme])
  return <p id="theme">{theme.color}</p>
}

function Several() {
  count('several')
  const { 'page-size': size, 'new-checkout': isNew } = useFlags({ 'page-size': 10, 'new-checkout': false })
  return <p id="several">{`${size + 1} ${isNew}`}</p>
}

function Buy() {
  const track = useTrack()
  const client = useSvcClient()
  return (
    <button type="button" disabled={!client} onClick={() => track('order_paid', { value: 49.9 })}>
      Buy
    </button>
  )
}

/** Reads a flag in a part of the page that comes later. */
function Late({ wait }: { wait?: () => void }) {
  wait?.()
  return <p id="late">{useFlag('copy', 'Pay now')}</p>
}

export interface ShopProps {
  client: Client
  visitor?: string
  suspense?: boolean
  readyTimeoutMs?: number
  /** Throws a promise until the late part may render. */
  wait?: () => void
  children?: ReactNode
}

export function Shop({ client, visitor = 'u-17', wait, children, ...settings }: ShopProps) {
  return (
    <SvcProvider client={client} context={{ targetingKey: visitor, country: 'NL' }} {...settings}>
      <Suspense fallback={<p id="waiting">waiting</p>}>
        <Checkout />
        <Copy />
        <Theme />
        <Several />
        <Buy />
      </Suspense>
      <Suspense fallback={<p id="late">waiting</p>}>
        <Late {...(wait && { wait })} />
      </Suspense>
      {children}
      <SvcBootstrap client={client} />
    </SvcProvider>
  )
}

/** A gate for `wait`, as a component that loads data has. */
export function gate() {
  let isOpen = false
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true
      resolve()
    }
  })
  return {
    open,
    wait() {
      if (!isOpen) throw opened
    },
  }
}
