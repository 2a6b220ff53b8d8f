import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconAlertTriangle } from '@tabler/icons-react'
import { wasOvertaken } from '../form/overtaken.ts'

interface FailureNoticeProps {
  /** What was thrown. Without it, nothing is shown. */
  error: unknown
  title?: string
  /** Adds a button that tries again. */
  retry?: (() => void) | undefined
  retryVerb?: string
  /** Shown instead of the error's message, for example if fields already show a part of it. */
  messages?: readonly string[]
}

/** What failed and why, with the request id that the operator can find in the log. Announced to screen readers. */
export function FailureNotice({
  error,
  title = 'That did not work',
  retry,
  retryVerb = 'Try again',
  messages,
}: FailureNoticeProps) {
  if (error === null || error === undefined) return null
  const said = messages ?? [messageOf(error)]
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      styles={{ title: { color: 'var(--mantine-color-error)' } }}
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
    >
      <Stack gap="xs" align="flex-start">
        {said.map((message) => (
          <Text key={message} size="sm">
            {message}
          </Text>
        ))}
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            Request id: <Code>{requestId}</Code>
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {retryVerb}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function messageOf(error: unknown): string {
  if (wasOvertaken(error))
    return 'Another person has changed this meanwhile. Nothing was done. Check it, then try again.'
  if (error instanceof ApiError) return error.message
  return 'An error occurred in this page. Reload it. If that does not help, contact the operator.'
}
