import { ButtonLink } from '../ui/links/links.tsx'
import type { NamedProject } from './all-projects.ts'
import { usePlace } from './place.ts'

interface Subject {
  /** What the project tests and publishes. */
  one: string
  many: string
  /** What refers to audiences, segments and metrics. */
  user: string
  test: string
  /** How a program or a site begins to follow the project. */
  connect: string
  connectTo: (place: string) => string
  /** The column of what is tested. */
  column: string
}

/** The words for a project of each type. Pages that both types have take them from here. */
const subjects: Record<NamedProject['type'], Subject> = {
  FEATURE_FLAG: {
    one: 'flag',
    many: 'flags',
    user: 'a rule of a flag',
    test: 'an A/B test of a flag',
    connect: 'Connect your SDK',
    connectTo: (place) => `Connect your SDK to ${place}`,
    column: 'Flag or experiment',
  },
  WEB: {
    one: 'experiment',
    many: 'experiments',
    user: 'an experiment',
    test: 'an experiment',
    connect: 'Get the tag',
    connectTo: (place) => `Get the tag of ${place}`,
    column: 'Experiment',
  },
}

/** The words for the project of the page. */
export const useSubject = (): Subject => subjects[usePlace().project.type]

/** The link to all flags, or to all experiments of a web project. */
export function ToSubjects({ env, isMain = false }: { env?: string; isMain?: boolean }) {
  const { project, params } = usePlace()
  const look = isMain ? {} : { variant: 'default' }
  if (project.type === 'WEB')
    return (
      <ButtonLink to="/$org/$project/experiments" params={params} {...look}>
        Go to experiments
      </ButtonLink>
    )
  return (
    <ButtonLink to="/$org/$project/flags" params={params} {...(env !== undefined && { search: { env } })} {...look}>
      Go to flags
    </ButtonLink>
  )
}

/** The link to the page with the SDK, or with the tag of a web project. */
export function ToConnect({ env, place, isMain = false }: { env?: string; place?: string; isMain?: boolean }) {
  const { params } = usePlace()
  const { connect, connectTo } = useSubject()
  return (
    <ButtonLink
      to="/$org/$project/connect"
      params={params}
      {...(env !== undefined && { search: { env } })}
      {...(!isMain && { variant: 'default' })}
    >
      {place === undefined ? connect : connectTo(place)}
    </ButtonLink>
  )
}
