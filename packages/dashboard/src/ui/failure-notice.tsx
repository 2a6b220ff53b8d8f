import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconAlertTriangle } from '@tabler/icons-react'

interface FailureNoticeProps {
  /** Whatever was thrown; nothing is shown without. */
  error: unknown
  title?: string
  /** Offers another try. */
  retry?: (() => void) | undefined
  retryVerb?: string
  /** Said already elsewhere, such as beside the fields: only what is left is said here. */
  messages?: readonly string[]
}

/** What failed, why, and the request id under which the operator finds it in the log. Announced when it appears. */
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
  if (error instanceof ApiError) return error.message
  return 'Something broke in this page. Reload it; if that does not help, tell the operator what you did.'
}
