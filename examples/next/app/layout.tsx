import type { ReactNode } from 'react'
import { readFlags } from '../flags'
import { settings } from '../settings'
import { FlagsProvider } from './flags-provider'

export default async function Layout({ children }: { children: ReactNode }) {
  const { client, context } = await readFlags()
  return (
    <html lang="en">
      <body>
        <FlagsProvider options={{ ...settings(), bootstrap: client.dataFile ?? undefined }} context={context}>
          {children}
        </FlagsProvider>
      </body>
    </html>
  )
}
