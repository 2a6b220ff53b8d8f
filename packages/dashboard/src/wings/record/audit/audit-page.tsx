import { Anchor, Code, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { server } from '../../../api.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { OnlyAdministrators } from '../../../ui/only-administrators.tsx'
import { Page } from '../../../ui/page.tsx'
import { useAllProjects } from '../../flags/projects/all-projects.ts'
import { useMay } from '../../people/sessions/session.ts'
import classes from './entry.module.css'
import { Entry } from './entry.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { type AuditSearch, auditQuery, auditSearch } from './filter.ts'
import { FilterForm } from './filter-form.tsx'

const title = 'Audit log'

/** Who changed what, from what to what. */
export function AuditPage() {
  return useMay('audit:read') ? (
    <AuditLog />
  ) : (
    <OnlyAdministrators title={title}>
      The audit log tells what everybody did, so owners and administrators alone read it.
    </OnlyAdministrators>
  )
}

function AuditLog() {
  const search = useSearch({ from: '/inside/settings/audit' })
  const navigate = useNavigate()
  const apply = (wanted: AuditSearch) =>
    void navigate({ to: '/settings/audit', search: auditSearch(wanted), resetScroll: true })
  return (
    <Page
      title={title}
      description="Who changed what, from what to what, the newest first. Nobody can alter or remove an entry."
    >
      <FilterForm key={JSON.stringify(search)} search={search} apply={apply} />
      <ExportButtons search={search} />
      <Entries search={search} apply={apply} />
      <AboutTheChain />
    </Page>
  )
}

function Entries({ search, apply }: { search: AuditSearch; apply: (search: AuditSearch) => void }) {
  const projects = useAllProjects()
  const names = useMemo(() => new Map(projects.data?.map(({ id, name }) => [id, name])), [projects.data])
  const query = server.useInfiniteQuery(
    'get',
    '/api/v1/audit',
    { params: { query: { ...auditQuery(search), limit: 50 } } },
    { initialPageParam: null, getNextPageParam: ({ page }) => page.nextCursor },
  )
  return (
    <Loaded query={query} lines={6}>
      {({ pages }) =>
        pages[0]?.data.length === 0 ? (
          <EmptyState icon={<IconHistory size={36} />} title="No entries">
            {Object.keys(search).length > 0
              ? 'Nothing in the log fits all of the filters. Take one away, or clear them.'
              : 'Every change is written down here, with who made it and what it was before.'}
          </EmptyState>
        ) : (
          <>
            <ol className={classes.list} aria-label="Entries of the audit log">
              {pages
                .flatMap(({ data }) => data)
                .map((entry) => (
                  <Entry key={entry.id} entry={entry} names={names} only={apply} />
                ))}
            </ol>
            <MoreButton query={query} />
          </>
        )
      }
    </Loaded>
  )
}

function AboutTheChain() {
  return (
    <Disclosure summary="How to know that nothing was altered">
      <Stack gap="xs" maw={640}>
        <Text size="sm">
          The entries are numbered without a gap and form a chain: each holds a hash over itself and the hash of the
          entry before it. Whoever altered, removed or slipped in an entry would have to make every later hash anew.
        </Text>
        <Text size="sm">
          The operator checks the chain with <Code>svc-server audit verify</Code>, which also prints its head. Keep a
          head somewhere else from time to time: a later check tells whether it is still part of the chain. More stands
          in the <Anchor href="/docs/api-reference/audit-log">API reference</Anchor>.
        </Text>
      </Stack>
    </Disclosure>
  )
}
