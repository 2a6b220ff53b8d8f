import { ApiError } from '@svc/client'
import { useEffect, useState } from 'react'
import { useLostAt } from '../../api/connection.ts'
import { Page } from '../../ui/layout/page.tsx'
import { FailureNotice } from '../../ui/notice/failure-notice.tsx'
import { useCodeAgain } from './missing-code.ts'

const reload = () => location.reload()
const away = 'The service does not answer, so this page could not be loaded. It loads as soon as the service is back.'
const incomplete = 'The code of this page could not be loaded. It is being loaded again.'

/** In the frame, in the place of a page that cannot be shown. What was typed is kept by its form. */
export function BrokenPart({ error }: { error: unknown }) {
  const isAway = useLostAt() !== null
  const isFetched = useCodeAgain(error)
  const [wasAway] = useState(isAway)
  useEffect(() => {
    if (wasAway && !isAway && !isFetched) reload()
  }, [wasAway, isAway, isFetched])
  const words = error instanceof ApiError ? error.message : isAway ? away : incomplete
  return (
    <Page title="This page cannot be shown">
      <FailureNotice
        error={error}
        title="What happened"
        {...(isAway || isFetched ? { messages: [words] } : { retry: reload })}
      />
    </Page>
  )
}
