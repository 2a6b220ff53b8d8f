import { Text } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import type { Named } from './names.ts'

export interface Reference {
  type: 'rule' | 'audience' | 'experiment'
  id: string
}

const unnamed: Record<Reference['type'], string> = {
  rule: 'A rule',
  audience: 'An audience',
  experiment: 'An experiment',
}

interface ReferenceLinkProps {
  reference: Reference
  named: Named | undefined
  /** Where a heading names the environment already. */
  withoutEnvironment?: boolean
}

/** What uses an audience or a segment: the rule with its flag and environment, the web experiment, or the audience. */
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
