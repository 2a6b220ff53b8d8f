import { IconLayoutGrid } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Loaded, type Query } from '../../ui/layout/loaded.tsx'
import { NotFound } from '../../ui/layout/not-found.tsx'
import { Page, TitlePlace } from '../../ui/layout/page.tsx'
import { TextLink } from '../../ui/links/links.tsx'
import { nearKeys } from '../../ui/words/near-keys.ts'
import { numberIn, segmentOf, withSegment, wordsOf } from '../address.ts'
import { type NamedProject, useAllProjects } from '../all-projects.ts'
import { PlaceContext, usePlace } from '../place.ts'
import { environmentsOf } from '../read-ahead.ts'
import { useOrganization } from '../session.ts'
import { useDoors } from '../wing.ts'
import { Corrected } from './corrected.tsx'
import { MissingPage } from './missing-page.tsx'
import { navigationFor } from './navigation.ts'

/** Around the pages of a project: they start when the project and its environments are known. */
export function ProjectLayout() {
  const { project: segment } = useParams({ strict: false }) as { project: string }
  const href = useLocation({ select: (location) => location.href })
  const number = numberIn(segment)
  const projects = useAllProjects()
  if (number === undefined) return <MissingPage />
  if (isFailed(projects)) return <Failed query={projects} />
  return (
    <Loaded query={projects}>
      {(all) => {
        const project = all.find(({ shortId }) => shortId === number)
        if (!project) return <NoProject wanted={segment} projects={all} />
        const right = segmentOf(project)
        return (
          <TitlePlace value={project.name}>
            {right !== segment && <Corrected to={withSegment(href, 1, right)} />}
            <PlaceOf key={project.id} project={project} />
          </TitlePlace>
        )
      }}
    </Loaded>
  )
}

function NoProject({ wanted, projects }: { wanted: string; projects: readonly NamedProject[] }) {
  const organization = useOrganization()!
  const org = segmentOf(organization)
  const named = projects.map((project) => ({ ...project, key: wordsOf(project.name) }))
  // The words of an address are those of the project at the time.
  return (
    <NotFound
      noun="project"
      wanted={wanted}
      place={organization.name}
      icon={<IconLayoutGrid size={36} />}
      near={nearKeys(wanted.replace(/^\d+-?/, ''), named).map((project) => ({
        key: project.id,
        link: (
          <TextLink to="/$org/$project" params={{ org, project: segmentOf(project) }} underline="always">
            {project.name}
          </TextLink>
        ),
      }))}
      all={
        <TextLink to="/$org" params={{ org }}>
          All projects
        </TextLink>
      }
    />
  )
}

function PlaceOf({ project }: { project: NamedProject }) {
  const organization = useOrganization()!
  const query = useQuery(environmentsOf(project.id))
  const environments = query.data?.data
  const place = useMemo(() => {
    const params = { org: segmentOf(organization), project: segmentOf(project) }
    return environments && { organization, project, environments, params }
  }, [organization, project, environments])
  if (isFailed(query)) return <Failed query={query} />
  return (
    <Loaded query={{ ...query, data: place }}>
      {(known) => (
        <PlaceContext value={known}>
          <Outlet />
        </PlaceContext>
      )}
    </Loaded>
  )
}

const isFailed = ({ data, error }: Query<unknown>) => data === undefined && error !== null

/** No page inside can show its heading. */
function Failed({ query }: { query: Query<unknown> }) {
  return (
    <Page title="Project">
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}

/** The bare address of a project opens its first page. */
export function ProjectHome() {
  const { navigation } = useDoors()
  const organization = useOrganization()
  const { project } = usePlace()
  const first = navigationFor(navigation, 'project', organization, project)[0]?.rows[0]
  return first ? <Navigate to={first.to} params={(current: object) => current as never} replace /> : <MissingPage />
}
