import { useLocation, useParams } from '@tanstack/react-router'
import { numberIn } from '../address.ts'
import { useAllProjects } from '../all-projects.ts'
import { useOrganization } from '../session.ts'
import { type Level, useDoors } from '../wing.ts'
import { navigationFor } from './navigation.ts'

/** The short number of the project in the address. */
export function useProjectNumber(): number | undefined {
  const { project } = useParams({ strict: false }) as { project?: string }
  return project === undefined ? undefined : numberIn(project)
}

/** The level of the address, and its rows of the sidebar. */
export function useLevel() {
  const { org, project } = useParams({ strict: false }) as { org?: string; project?: string }
  const path = useLocation({ select: ({ pathname }) => pathname })
  const organization = useOrganization()
  const { navigation } = useDoors()
  const level = levelOf(path, { org, project }, organization !== undefined)
  const number = useProjectNumber()
  const place = useAllProjects().data?.find(({ shortId }) => shortId === number)
  return { level, groups: navigationFor(navigation, level, organization, place) }
}

function levelOf(
  path: string,
  { org, project }: { org?: string | undefined; project?: string | undefined },
  isMember: boolean,
): Level {
  if (org === undefined) return path.startsWith('/account') || !isMember ? 'account' : 'organization'
  return project === undefined ? 'organization' : 'project'
}
