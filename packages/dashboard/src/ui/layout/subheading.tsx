import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The heading of a list on a page. */
export function Subheading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Title order={2} id={id} mb="sm">
      {children}
    </Title>
  )
}
