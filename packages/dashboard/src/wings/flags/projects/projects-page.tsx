import { Button } from '@mantine/core'
import { IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { byCursor, server } from '../../../api.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { PagedList } from '../../../shell/paged-list.tsx'
import { useMay, useOrganization } from '../../../shell/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { CreateProject } from './create-project.tsx'
import { ProjectCard } from './project-card.tsx'
import classes from './projects-page.module.css'

/** The first page of an organization: its projects with their environments. */
export function ProjectsPage() {
  const organization = useOrganization()!
  const mayCreate = useMay('projects:write')
  const [isCreating, setIsCreating] = useState(false)
  const query = server.useInfiniteQuery('get', '/api/v1/projects', { params: { query: { limit: 20 } } }, byCursor)
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create project
    </Button>
  )
  return (
    <Page
      title="Projects"
      description={`The projects of ${organization.name}. A project contains flags and has its own environments.`}
      actions={isEmpty === false && create}
    >
      {!mayCreate && <OnlyFor>You can look at projects. Admins can create projects.</OnlyFor>}
      <PagedList
        query={query}
        noun="project"
        Icon={IconLayoutGrid}
        empty={{
          title: 'No projects yet',
          words:
            'A project is an application or website with its flags. It starts with two environments, Production and Development, each with its own SDK key.',
          action: create,
        }}
      >
        {(projects) => (
          <ul className={classes.cards} aria-label="Projects">
            {projects.map((project) => (
              <li key={project.id}>
                <ProjectCard project={project} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {isCreating && <CreateProject onClose={() => setIsCreating(false)} />}
    </Page>
  )
}
