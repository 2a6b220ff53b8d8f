import { Text } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import type { Named } from './names.ts'

export interface Reference {
  type: keyof typeof unnamed
  id: string
}

const unnamed = {
  rule: 'A rule',
  audience: 'An audience',
  experiment: 'An experiment',
  placement: 'A placement',
  recommendation_model: 'A recommendation model',
}

/** Whether this can name what a refusal says. */
export const isReferenceType = (type: unknown): type is Reference['type'] => typeof type === 'string' && type in unnamed

interface ReferenceLinkProps {
  reference: Reference
  named: Named | undefined
  /** Where a heading names the environment already. */
  withoutEnvironment?: boolean
}

/** What uses a thing: the rule with its flag and environment, the web experiment, the audience, or what a shop has. */
export function ReferenceLink({ reference, named, withoutEnvironment }: ReferenceLinkProps) {
  const { params } = usePlace()
  if (!named?.visible)
    return (
      <Text span inherit c="dimmed">
        {unnamed[reference.type]}
      </Text>
    )
  if (named.kind === 'audience')
    return (
      <TextLink
        to="/$org/$project/audiences/$audience"
        params={{ ...params, audience: String(named.shortId) }}
        underline="always"
      >
        Audience {named.name}
      </TextLink>
    )
  if (named.kind === 'placement')
    return (
      <TextLink
        to="/$org/$project/commerce/placements/$placement"
        params={{ ...params, placement: named.id }}
        underline="always"
      >
        {named.name}
      </TextLink>
    )
  if (named.kind === 'recommendation_model')
    return (
      <TextLink
        to="/$org/$project/commerce/models/$recommendation_model"
        params={{ ...params, recommendation_model: named.id }}
        underline="always"
      >
        {named.name}
      </TextLink>
    )
  if (named.kind === 'experiment' && !named.flag)
    return (
      <>
        <TextLink
          to="/$org/$project/experiments/$experiment"
          params={{ ...params, experiment: String(named.shortId) }}
          underline="always"
        >
          {named.name}
        </TextLink>
        {named.environment && !withoutEnvironment && `, ${named.environment.name}`}
      </>
    )
  if (!named.flag) return named.name
  return (
    <>
      <TextLink
        to="/$org/$project/flags/$flag"
        params={{ ...params, flag: named.flag.key }}
        search={{ ...(named.environment && { env: named.environment.key }), rule: named.id }}
        underline="always"
      >
        {named.flag.name}
      </TextLink>
      {named.environment && !withoutEnvironment && `, ${named.environment.name}`}: {named.name}
    </>
  )
}
