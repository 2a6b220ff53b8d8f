import { Menu } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { server } from '../../../api.ts'
import { MenuLink } from '../../../ui/links.tsx'
import { SwitchMenu } from '../../../ui/switch-menu.tsx'

const shownInMenu = 100

/** Shows the current project and switches to another. */
export function ProjectSwitch() {
  const { projectId } = useParams({ strict: false }) as { projectId?: string }
  const { data } = server.useQuery('get', '/api/v1/projects', { params: { query: { limit: shownInMenu } } })
  const projects = data?.data ?? []
  if (projects.length === 0) return null
  const chosen = projects.find(({ id }) => id === projectId)
  return (
    <SwitchMenu what="Project" chosen={chosen?.name ?? 'All projects'}>
      <MenuLink to="/" aria-current={projectId === undefined ? 'page' : undefined}>
        All projects
      </MenuLink>
      <Menu.Divider />
      <Menu.Label>Project</Menu.Label>
      {projects.map(({ id, name }) => (
        <MenuLink key={id} to="/projects/$projectId" params={{ projectId: id }}>
          {name}
        </MenuLink>
      ))}
    </SwitchMenu>
  )
}
