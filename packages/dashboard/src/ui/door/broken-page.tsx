import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { TextLink } from '../links/links.tsx'
import { FailureNotice } from '../notice/failure-notice.tsx'
import { Door } from './door.tsx'

/** Replaces a page that cannot be shown at all. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Door title="This page cannot be shown">
      <FailureNotice error={error} title="What happened" />
      <Button onClick={again}>Try again</Button>
    </Door>
  )
}

export function UnknownPage() {
  return (
    <Door title="Page not found" description="The address may be wrong, or the page has moved.">
      <TextLink to="/">Go to your projects</TextLink>
    </Door>
  )
}
