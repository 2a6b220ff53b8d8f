import { Button } from '@mantine/core'
import type { Data } from '@svc/client'
import { IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { server } from '../../../api.ts'
import { type HeldQuery, idOf, useHeldRows } from '../../../shell/held-rows.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { useMay, useOrganization } from '../../../shell/session.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { MoreButton, type Paged } from '../../../ui/table/more-button.tsx'
import { WaitingRows } from '../../../ui/table/waiting-rows.tsx'
import { CreateProject } from './create-project.tsx'
import { ProjectCard } from './project-card.tsx'
import classes from './projects-page.module.css'

/** The first page of an organization: its projects with their environments. */
export function ProjectsPage() {
  const organization = useOrganization()!
  const mayCreate = useMay('projects:write')
  const [isCreating, setIsCreating] = useState(false)
  const query = server.useInfiniteQuery(
    'get',
    '/api/v1/projects',
    { params: { query: { limit: 20 } } },
    { initialPageParam: null, getNextPageParam: ({ page }) => page.nextCursor },
  )
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
      <Loaded query={query}>
        {({ pages }) =>
          isEmpty ? (
            <EmptyState icon={<IconLayoutGrid size={36} />} title="No projects yet" action={create}>
              A project is an application or website with its flags. It starts with two environments, Production and
              Development, each with its own SDK key.
            </EmptyState>
          ) : (
            <Cards query={query} pages={pages.map(({ data }) => data)} />
          )
        }
      </Loaded>
      {isCreating && <CreateProject onClose={() => setIsCreating(false)} />}
    </Page>
  )
}

type Project = Data<'/api/v1/projects', 'get'>[number]

function Cards({ query, pages }: { query: HeldQuery & Paged; pages: Project[][] }) {
  const { rows, waiting, show } = useHeldRows({ query, pages, keyOf: idOf })
  return (
    <>
      <WaitingRows count={waiting} noun="project" isFiltered={false} onShow={show} />
      <ul className={classes.cards} aria-label="Projects">
        {rows.map((project) => (
          <li key={project.id}>
            <ProjectCard project={project} />
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}
