'use client'
import { useFlag, useTrack } from '@svc/sdk/react'

/** Rendered on the server, and followed in the page. */
export function Checkout() {
  const isNew = useFlag('new-checkout', false)
  const track = useTrack()
  return (
    <button type="button" onClick={() => track('order_paid', { value: 49.9 })}>
      {isNew ? 'Buy now' : 'To the checkout'}
    </button>
  )
}
