import { Menu } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { MenuLink } from '../ui/links.tsx'
import { SwitchMenu } from '../ui/switch-menu.tsx'
import { numberIn, segmentOf } from './address.ts'
import { useAllProjects } from './all-projects.ts'
import { useOrganization } from './session.ts'

/** Shows the current project, and opens another. */
export function ProjectSwitch() {
  const organization = useOrganization()
  return organization ? <Projects org={segmentOf(organization)} /> : null
}

function Projects({ org }: { org: string }) {
  const { project: segment } = useParams({ strict: false }) as { project?: string }
  const { data: projects = [] } = useAllProjects()
  if (projects.length === 0) return null
  const number = segment === undefined ? undefined : numberIn(segment)
  const chosen = projects.find(({ shortId }) => shortId === number)
  return (
    <SwitchMenu what="Project" chosen={chosen?.name ?? 'All projects'}>
      <MenuLink to="/$org" params={{ org }} aria-current={chosen ? undefined : 'page'}>
        All projects
      </MenuLink>
      <Menu.Divider />
      <Menu.Label>Project</Menu.Label>
      {projects.map((project) => (
        <MenuLink key={project.id} to="/$org/$project" params={{ org, project: segmentOf(project) }}>
          {project.name}
        </MenuLink>
      ))}
    </SwitchMenu>
  )
}
