import type { ReactNode } from 'react'
import { TextLink } from '../ui/links/links.tsx'
import { segmentOf } from './address.ts'
import { useAllProjects } from './all-projects.ts'
import { useOrgParams } from './place.ts'

/** A link to a project, by default with its name. It is text if the project is gone or the person cannot see it. */
export function ProjectLink({ id, children }: { id: string; children?: ReactNode }) {
  const params = useOrgParams()
  const { data = [] } = useAllProjects()
  const project = data.find((other) => other.id === id)
  if (!project) return children ?? id
  return (
    <TextLink to="/$org/$project" params={{ ...params, project: segmentOf(project) }}>
      {children ?? project.name}
    </TextLink>
  )
}
