import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { BehindLink } from '../../../ui/door/behind-link.tsx'
import { Door } from '../../../ui/door/door.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { type LinkContent, useLinkContent } from './link.ts'

interface LinkPageProps {
  kind: LinkContent['kind']
  secret: string | undefined
  /** Shown while the link is being checked. */
  title: string
  /** How to get another link. */
  howToGetOne: string
  children: (content: LinkContent) => ReactNode
}

/** A page behind a single-use link. It checks the link and explains why it does not work. */
export function LinkPage({ kind, secret, title, howToGetOne, children }: LinkPageProps) {
  const query = useLinkContent(secret)
  const unknown = (
    <Door title="This link does not work" footer={<TextLink to="/sign-in">Go to the sign-in page</TextLink>}>
      <Text size="sm">
        A link works once and for a limited time. This one was used or replaced, has expired, or is incomplete.
      </Text>
      <Text size="sm">{howToGetOne}</Text>
    </Door>
  )
  if (secret === undefined) return unknown
  return (
    <BehindLink title={title} query={query} unknown={unknown}>
      {(content) => (content.kind === kind ? children(content) : unknown)}
    </BehindLink>
  )
}
