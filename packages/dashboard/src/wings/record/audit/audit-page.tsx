import { Anchor, Code, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { byCursor, server } from '../../../api.ts'
import { PagedList } from '../../../shell/paged-list.tsx'
import { useMay } from '../../../shell/session.ts'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { OnlyAdministrators } from '../../../ui/notice/only-administrators.tsx'
import classes from './entry.module.css'
import { Entry } from './entry.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { type AuditSearch, auditQuery, auditSearch } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { useNames } from './use-names.ts'

const title = 'Audit log'

/** Every change: who made it, when, and what it was before. */
export function AuditPage() {
  return useMay('audit:read') ? (
    <AuditLog />
  ) : (
    <OnlyAdministrators title={title}>
      The audit log records the actions of all members, so only owners and administrators can read it.
    </OnlyAdministrators>
  )
}

function AuditLog() {
  const search = useSearch({ from: '/inside/$org/settings/audit' })
  const navigate = useNavigate()
  const apply = (wanted: AuditSearch) => void navigate({ to: '.', search: auditSearch(wanted), resetScroll: true })
  return (
    <Page
      title={title}
      description="Every change, newest first, with who made it and what it replaced. Entries cannot be changed or removed."
    >
      <Entries search={search} apply={apply} />
    </Page>
  )
}

function Entries({ search, apply }: { search: AuditSearch; apply: (search: AuditSearch) => void }) {
  const query = server.useInfiniteQuery(
    'get',
    '/api/v1/audit',
    { params: { query: { ...auditQuery(search), limit: 50 } } },
    byCursor,
  )
  const names = useNames(query.data?.pages.map(({ data }) => data) ?? [])
  const ofObject = query.data?.pages[0]?.data.find(({ object }) => object.id === search.objectId)
  return (
    <>
      <FilterBar search={search} apply={apply} objectName={ofObject?.object.name} />
      <ExportButtons search={search} />
      <PagedList
        query={query}
        noun="entry"
        nouns="entries"
        Icon={IconHistory}
        lines={6}
        empty={{
          title: 'No entries',
          words: 'Every change appears here, with who made it and what it was before.',
        }}
        filter={{
          subject: JSON.stringify(search),
          isFiltered: Object.keys(search).length > 0,
          onClear: () => apply({}),
          nothing: 'No entry matches all filters. Remove one, or clear them.',
        }}
      >
        {(entries) => (
          <ol className={classes.list} aria-label="Entries of the audit log">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} names={names} only={apply} />
            ))}
          </ol>
        )}
      </PagedList>
      {(query.data?.pages[0]?.data.length ?? 0) > 0 && <AboutTheChain />}
    </>
  )
}

function AboutTheChain() {
  return (
    <Disclosure summary="How to verify that nothing was altered">
      <Stack gap="xs" maw={640}>
        <Text size="sm">
          Entries are numbered without gaps and form a chain: each contains a hash of itself and of the entry before it.
          To alter, remove or insert an entry, an attacker would have to recalculate every later hash.
        </Text>
        <Text size="sm">
          The operator verifies the chain with <Code>svc-server audit verify</Code>, which also prints its head. Store a
          head elsewhere from time to time. A later check can then prove that it is still part of the chain. See the{' '}
          <Anchor href="/docs/audit">guide to the audit log</Anchor>.
        </Text>
      </Stack>
    </Disclosure>
  )
}
