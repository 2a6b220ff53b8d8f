'use client'
import { type Client, type ClientOptions, createClient, type EvaluationContext } from '@svc/sdk'
import { SvcProvider } from '@svc/sdk/react'
import { stream } from '@svc/sdk/stream'
import { type ReactNode, useState } from 'react'

let ofPage: Client | undefined

/** The client of the page. While the server renders this, a client without requests takes its place. */
function clientOf(options: ClientOptions): Client {
  if (typeof window === 'undefined') return createClient({ ...options, offline: true })
  ofPage ??= createClient({ ...options, stream })
  return ofPage
}

export function FlagsProvider({ options, context, children }: Props) {
  const [client] = useState(() => clientOf(options))
  return (
    <SvcProvider client={client} context={context}>
      {children}
    </SvcProvider>
  )
}

interface Props {
  options: ClientOptions
  context: EvaluationContext
  children: ReactNode
}
