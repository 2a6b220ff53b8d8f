import { Navigate, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { server } from '../api.ts'
import { Loaded } from '../ui/loaded.tsx'
import { numberIn, segmentOf, withSegment } from './address.ts'
import { type NamedProject, useAllProjects } from './all-projects.ts'
import { Corrected } from './corrected.tsx'
import { MissingPage } from './missing-page.tsx'
import { navigationFor } from './navigation.ts'
import { PlaceContext } from './place.ts'
import { useOrganization } from './session.ts'
import { useDoors } from './wing.ts'

/** Around the pages of a project: they start when the project and its environments are known. */
export function ProjectLayout() {
  const { project: segment } = useParams({ strict: false }) as { project: string }
  const href = useLocation({ select: (location) => location.href })
  const number = numberIn(segment)
  const projects = useAllProjects()
  if (number === undefined) return <MissingPage />
  return (
    <Loaded query={projects}>
      {(all) => {
        const project = all.find(({ shortId }) => shortId === number)
        if (!project) return <MissingPage />
        const right = segmentOf(project)
        return (
          <>
            {right !== segment && <Corrected to={withSegment(href, 1, right)} />}
            <PlaceOf key={project.id} project={project} />
          </>
        )
      }}
    </Loaded>
  )
}

function PlaceOf({ project }: { project: NamedProject }) {
  const organization = useOrganization()!
  const params = { path: { projectId: project.id } }
  const query = server.useQuery('get', '/api/v1/projects/{projectId}/environments', { params })
  const environments = query.data?.data
  const place = useMemo(() => {
    const params = { org: segmentOf(organization), project: segmentOf(project) }
    return environments && { organization, project, environments, params }
  }, [organization, project, environments])
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

/** The bare address of a project opens its first page. */
export function ProjectHome() {
  const { navigation } = useDoors()
  const organization = useOrganization()
  const first = navigationFor(navigation, 'project', organization)[0]?.rows[0]
  return first ? <Navigate to={first.to} params={(current: object) => current as never} replace /> : <MissingPage />
}
