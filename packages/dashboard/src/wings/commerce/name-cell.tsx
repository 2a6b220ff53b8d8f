import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface NameCellProps {
  /** The name, as a link to the page of the thing. */
  link: ReactNode
  /** What the API calls it. */
  apiKey: string
}

/** What a thing is called: its name, and below it the key. */
export function NameCell({ link, apiKey }: NameCellProps) {
  return (
    <>
      {link}
      <Text size="xs" c="dimmed">
        <Code>{apiKey}</Code>
      </Text>
    </>
  )
}
