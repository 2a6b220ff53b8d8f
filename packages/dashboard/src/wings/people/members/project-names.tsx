import { useAllProjects } from '../../../shell/all-projects.ts'

const namedAtMost = 3

/** "All projects", or the names of the selected ones. */
export function ProjectNames({ projectIds }: { projectIds: string[] | null }) {
  const { data: projects } = useAllProjects()
  if (projectIds === null) return 'All projects'
  if (projectIds.length === 0) return 'No projects'
  const names = projectIds.map((id) => projects?.find((project) => project.id === id)?.name ?? '…')
  const others = names.length - namedAtMost
  return (
    <span title={names.join(', ')}>
      {names.slice(0, namedAtMost).join(', ')}
      {others > 0 && ` and ${others} more`}
    </span>
  )
}
