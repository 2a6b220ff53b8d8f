import { useRef } from 'react'
import { server } from '../../../api.ts'
import { useAllProjects } from '../../../shell/all-projects.ts'
import { useKeys } from '../../../shell/keys.ts'
import { useOrganization } from '../../../shell/session.ts'
import { useSettled } from '../../../ui/form/settled.ts'
import type { Filter } from '../../../ui/table/filters.ts'
import { Toolbar } from '../../../ui/table/toolbar.tsx'
import { DateInput } from '../../../ui/time/date-input.tsx'
import { type AuditSearch, chosenIn, withChosen } from './filter.ts'
import classes from './filter-bar.module.css'
import { actionChoices, objectChoices } from './phrases.ts'

interface FilterBarProps {
  search: AuditSearch
  apply: (search: AuditSearch) => void
  /** The name of the object in the address, if an entry has it. */
  objectName: string | undefined
}

/** Search, chips and days. An entry must match all of them. */
export function FilterBar({ search, apply, objectName }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const filters = useFilters(search, objectName)
  const [text, setText] = useSettled(search.q ?? '', (q) => apply({ ...search, q }))
  useKeys({ '/': { label: 'Search the audit log', act: () => input.current?.focus() } })
  const day = (field: 'from' | 'to') => ({
    type: 'date' as const,
    value: search[field] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      apply({ ...search, [field]: currentTarget.value }),
  })
  return (
    <Toolbar
      search={{ text, onSearch: setText, label: 'Search names, actions and comments', ref: input }}
      filters={filters}
      chosen={chosenIn(search)}
      onChoose={(chosen) => apply(withChosen(search, chosen))}
    >
      <div className={classes.days}>
        <span className={classes.until}>from</span>
        <DateInput {...day('from')} aria-label="From" max={search.to ?? ''} />
        <span className={classes.until}>until</span>
        <DateInput {...day('to')} aria-label="Until (inclusive)" min={search.from ?? ''} />
      </div>
    </Toolbar>
  )
}

const shownActors = 100

function useFilters({ objectId }: AuditSearch, objectName: string | undefined): Filter[] {
  const isAdministrator = useOrganization()?.administrator === true
  const params = { query: { limit: shownActors } }
  const members = server.useQuery('get', '/api/v1/members', { params })
  const tokens = server.useQuery('get', '/api/dashboard/service-tokens', { params }, { enabled: isAdministrator })
  const projects = useAllProjects()
  const people = members.data?.data ?? []
  const programs = (tokens.data?.data ?? []).filter(({ replacedBy }) => replacedBy === null)
  const filters: Omit<Filter, 'isSingle'>[] = [
    {
      key: 'actor',
      label: 'Who',
      options: [
        { value: 'system', label: 'The service itself' },
        ...people.map(({ userId, name }) => ({ value: userId, label: name })),
        ...programs.map(({ id, name }) => ({ value: id, label: `${name} (service token)` })),
      ],
    },
    { key: 'action', label: 'Action', options: actionChoices },
    { key: 'objectType', label: 'Type', options: objectChoices },
    {
      key: 'projectId',
      label: 'Project',
      options: (projects.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    // Chosen at an entry, not from a list.
    ...(objectId
      ? [{ key: 'objectId', label: 'Object', options: [{ value: objectId, label: objectName ?? 'One object' }] }]
      : []),
  ]
  return filters.map((filter) => ({ ...filter, isSingle: true }))
}
