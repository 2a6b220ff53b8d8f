import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The first cell of a row: the link to a thing, and its description below. */
export function Described({ description, children }: { description: string | null; children: ReactNode }) {
  return (
    <>
      {children}
      {description && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {description}
        </Text>
      )}
    </>
  )
}
