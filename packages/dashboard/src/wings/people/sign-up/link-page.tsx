import { Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import type { ReactNode } from 'react'
import { Door } from '../../../ui/door.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
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
  const isSpent = query.error instanceof ApiError && query.error.status === 404
  if (secret === undefined || isSpent || (query.data && query.data.kind !== kind))
    return (
      <Door title="This link does not work" footer={<TextLink to="/sign-in">Go to the sign-in page</TextLink>}>
        <Text size="sm">
          A link works once and for a limited time. This one was used or replaced, has expired, or is incomplete.
        </Text>
        <Text size="sm">{howToGetOne}</Text>
      </Door>
    )
  if (query.data) return children(query.data)
  return (
    <Door title={title}>
      <Loaded query={query}>{() => null}</Loaded>
    </Door>
  )
}
