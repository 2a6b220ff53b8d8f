import { apiClient } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Loaded } from '../../ui/layout/loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { segmentOf } from '../address.ts'
import { readProjects } from '../all-projects.ts'
import { type Organization, useSession } from '../session.ts'
import { Corrected } from './corrected.tsx'
import { MissingPage } from './missing-page.tsx'
import { newAddressOf, projectNamedIn } from './old-addresses.ts'

/** `/projects/…` and `/settings/…` name no organization. Several can have such a page; then the person chooses. */
export function OldAddress() {
  const { organizations } = useSession()
  const router = useRouter()
  // The address changes before this page is gone.
  const [href] = useState(() => router.state.location.href)
  const query = useQuery({
    queryKey: ['old-address', href],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(organizations.map((organization) => pagesIn(organization, href, signal)))
      return found.flat()
    },
  })
  return (
    <Loaded query={query}>
      {(pages) => {
        const [only, ...others] = pages
        if (!only) return <MissingPage />
        return others.length === 0 ? <Corrected to={only.href} /> : <Choice pages={pages} />
      }}
    </Loaded>
  )
}

interface FoundPage {
  href: string
  organization: Organization
  project?: string
}

async function pagesIn(organization: Organization, href: string, signal: AbortSignal): Promise<FoundPage[]> {
  const wanted = projectNamedIn(href)
  const org = segmentOf(organization)
  if (wanted === undefined) return [{ href: newAddressOf(href, org), organization }]
  const client = apiClient({ baseUrl: '', headers: () => ({ 'svc-org-id': organization.id }) })
  const projects = await readProjects(client, signal)
  return projects
    .filter(({ id, shortId, key }) => [id, String(shortId), key].includes(wanted))
    .map((project) => ({ href: newAddressOf(href, org, segmentOf(project)), organization, project: project.name }))
}

function Choice({ pages }: { pages: FoundPage[] }) {
  return (
    <Page title="Choose an organization" description="This address exists in several of your organizations.">
      <Section title="Organizations">
        <ul>
          {pages.map(({ href, organization, project }) => (
            <li key={href}>
              <a href={href}>{project === undefined ? organization.name : `${organization.name}, ${project}`}</a>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  )
}
