import { Skeleton, Text } from '@mantine/core'
import type { LinkProps } from '@tanstack/react-router'
import { TextLink } from '../links/links.tsx'
import { withArticle } from '../words/lists.ts'

/** What is known about an object that only its id names. */
export type Entity =
  | { state: 'here'; name: string; to?: LinkProps['to'] & string }
  | { state: 'deleted'; name?: string | null }
  | { state: 'hidden' }

interface EntityLinkProps {
  /** Undefined while the name is being asked for. */
  entity: Entity | undefined
  /** What the object is, in a word: "rule". */
  kind: string
}

/** The name of an object in place of its id, as a link if it has a page. */
export function EntityLink({ entity, kind }: EntityLinkProps) {
  if (!entity) return <Skeleton component="span" display="inline-block" width="6rem" height="0.875rem" />
  if (entity.state === 'hidden')
    return <Text span inherit c="dimmed">{`${withArticle(kind)} that you cannot see`}</Text>
  if (entity.state === 'deleted')
    return (
      <Text span inherit>
        {entity.name ?? withArticle(kind)}{' '}
        <Text span inherit c="dimmed">
          (deleted)
        </Text>
      </Text>
    )
  return entity.to === undefined ? (
    entity.name
  ) : (
    <TextLink to={entity.to} underline="always">
      {entity.name}
    </TextLink>
  )
}
