import { ApiError } from '@svc/client'
import { useEffect, useState } from 'react'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { Page } from '../ui/page.tsx'
import { useLostAt } from './connection.ts'

const reload = () => location.reload()
const away = 'The service does not answer, so this page could not be loaded. It is loaded once the service answers.'

/** In the frame, in the place of a page that cannot be shown. What was typed is kept by its form. */
export function BrokenPart({ error }: { error: unknown }) {
  const isAway = useLostAt() !== null
  const [wasAway] = useState(isAway)
  useEffect(() => {
    if (wasAway && !isAway) reload()
  }, [wasAway, isAway])
  return (
    <Page title="This page cannot be shown">
      <FailureNotice
        error={error}
        title="What happened"
        {...(isAway ? { messages: error instanceof ApiError ? [error.message] : [away] } : { retry: reload })}
      />
    </Page>
  )
}
