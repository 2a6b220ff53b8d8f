import { Button, Group, Stack } from '@mantine/core'
import { IconFlag, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import { type HeldQuery, useHeldRows } from '../../../shell/held-rows.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Key, useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay, useSession } from '../../../shell/session.ts'
import { CommandLine } from '../../../ui/code/command-line.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import type { TableHandle } from '../../../ui/table/grid-focus.ts'
import { Toolbar } from '../../../ui/table/toolbar.tsx'
import { VirtualTable } from '../../../ui/table/virtual-table.tsx'
import { WaitingRows } from '../../../ui/table/waiting-rows.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { FirstSteps } from '../checklist/first-steps.tsx'
import { flagColumns } from './flag-columns.tsx'
import {
  byRunning,
  chosenIn,
  columnsIn,
  type FlagSearch,
  filtered,
  flagSearch,
  type IndexedEnvironment,
  type IndexedFlag,
  type IndexedOwner,
  listed,
  type Sort,
  sorted,
  sortOf,
  withChosen,
} from './flag-filter.ts'
import { filtersOf } from './flag-filters.ts'
import { flagViews } from './flag-views.ts'
import classes from './flags-page.module.css'
import { NoFlagsHere } from './no-flags-here.tsx'
import { keepColumns, keptColumns, pinnedMax, pinnedOf } from './pinned.ts'

const CreateFlag = lazy(async () => ({ default: (await import('./create-flag.tsx')).CreateFlag }))
const EveryEnvironment = lazy(async () => ({ default: (await import('./every-environment.tsx')).EveryEnvironment }))
// Needed only for selected flags.
const BulkActions = lazy(async () => ({ default: (await import('../bulk/bulk-actions.tsx')).BulkActions }))

/** Every flag of the project with its switches. Search, filters and order are in the address. */
export function FlagsPage() {
  return usePlace().project.type === 'WEB' ? <NoFlagsHere title="Flags" /> : <EveryFlag />
}

function EveryFlag() {
  const query = useProjectIndex()
  const mayEdit = useMay('flags:write')
  const navigate = useNavigate()
  const { panel, ...search }: FlagSearch = useSearch({ from: '/inside/$org/$project/flags' })
  const setPanel = (next?: 'create') =>
    void navigate({ to: '.', search: flagSearch({ ...search, panel: next }), replace: true, resetScroll: false })
  const flags = query.data?.flags
  const isEmpty = flags?.length === 0
  const create = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setPanel('create')}>
      Create flag
    </Button>
  )
  useKeys(mayEdit ? { c: { label: 'Create a flag', act: () => setPanel('create') } } : {})
  return (
    <Page title="Flags" actions={isEmpty === false && create}>
      {!mayEdit && flags && <OnlyFor>You can look at flags. Editors and admins can change them.</OnlyFor>}
      <Loaded query={query} lines={6}>
        {({ flags, environments, owners }) =>
          flags === null || environments === null ? (
            <OnlyFor>
              Your role does not include reading flags. The permission that opens this page is “flags:read”.
            </OnlyFor>
          ) : flags.length === 0 ? (
            <NoFlags create={create} />
          ) : (
            <>
              {mayEdit && <FirstSteps isRunning={flags.some(({ states }) => states.some(({ running }) => running))} />}
              <List flags={flags} environments={environments} owners={owners ?? []} mayEdit={mayEdit} query={query} />
            </>
          )
        }
      </Loaded>
      {mayEdit && panel === 'create' && (
        <Suspense fallback={null}>
          <CreateFlag onClose={() => setPanel()} />
        </Suspense>
      )}
    </Page>
  )
}

function NoFlags({ create }: { create: React.ReactNode }) {
  const { environments, params, project } = usePlace()
  const isUnconnected = environments.every(({ lastHeartbeatAt }) => lastHeartbeatAt === null)
  const actions = (
    <Group gap="xs" justify="center">
      {create}
      {isUnconnected && (
        <ButtonLink variant="default" to="/$org/$project/connect" params={params}>
          Connect your SDK
        </ButtonLink>
      )}
    </Group>
  )
  return (
    <EmptyState icon={<IconFlag size={36} />} title="No flags yet" action={actions}>
      A flag decides what a visitor gets. Create the first one, and run it in an environment when your code asks for it.
      {create && <CommandLine command={`svc flag create one-page-checkout --project ${project.key}`} />}
    </EmptyState>
  )
}

interface ListProps {
  flags: IndexedFlag[]
  environments: IndexedEnvironment[]
  owners: IndexedOwner[]
  mayEdit: boolean
  query: HeldQuery
}

function List({ flags, environments, owners, mayEdit, query }: ListProps) {
  const { params, project } = usePlace()
  const navigate = useNavigate()
  const search: FlagSearch = useSearch({ from: '/inside/$org/$project/flags' })
  const pinned = pinnedOf(environments, columnsIn(search) ?? keptColumns(project.id))
  const field = useRef<HTMLInputElement>(null)
  const table = useRef<TableHandle>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  const [moreOf, setMoreOf] = useState<string>()
  // As the index has it now, so that a switch shows what it did.
  const more = flags.find(({ key }) => key === moreOf)
  const { rows, ...held } = useRows({ flags, environments, query, search })
  const activeFlag = rows.find(({ key }) => key === active)
  useListKeys({ field, table, mayEdit, place: pinned[0]?.name, active: activeFlag, ask: setAsked })

  const go = (next: FlagSearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false })
  const open = ({ key }: IndexedFlag) =>
    void navigate({ to: '/$org/$project/flags/$flag', params: { ...params, flag: key } })
  const sort = sortOf(search)
  const isFiltered = isFilteredBy(search)
  return (
    <Stack gap="md">
      <Views flags={flags} environments={environments} search={search} />
      <FlagToolbar {...{ flags, environments, owners, pinned, search, go, field }} shown={rows.length} />
      <WaitingRows count={held.waiting} noun="flag" isFiltered={isFiltered} onShow={held.show} />
      {rows.length === 0 ? (
        <NoMatch search={search} go={go} />
      ) : (
        <VirtualTable
          caption="Flags"
          rows={rows}
          keyOf={({ key }) => key}
          nameOf={({ name }) => name}
          columns={flagColumns({ params, environments, pinned, owners, asked, onAsk: setAsked, onMore: setMoreOf })}
          lines={2}
          factsAreBeside
          onOpen={open}
          sort={{ ...sort, onSort: (by) => go({ ...search, sort: nextSort(sort, by as Sort['by']) }) }}
          {...(mayEdit && {
            selection: {
              selected,
              onSelect: setSelected,
              actions: (
                <Suspense>
                  <BulkActions
                    flags={rows.filter(({ key }) => selected.has(key))}
                    environments={environments}
                    onDone={() => setSelected(new Set())}
                  />
                </Suspense>
              ),
            },
          })}
          onActive={setActive}
          handle={table}
        />
      )}
      {more && (
        <Suspense>
          <EveryEnvironment flag={more} environments={environments} onClose={() => setMoreOf(undefined)} />
        </Suspense>
      )}
    </Stack>
  )
}

/** The switch of a flag that asks for a confirmation, in the first pinned environment. */
interface Asked {
  flag: string
  action: SwitchAction
}

/** The flags that match. What others edit stays in its place, and new flags wait, until the person looks for something else. */
function useRows({
  flags,
  environments,
  query,
  search,
}: Omit<ListProps, 'mayEdit' | 'owners'> & { search: FlagSearch }) {
  const now = useNow()
  const wanted = useDeferredValue(search)
  const texts = useMemo(() => listed(flags), [flags])
  const matching = useMemo(
    () => sorted(filtered(texts, environments, wanted, now), environments, sortOf(wanted)),
    [texts, environments, wanted, now],
  )
  return useHeldRows({ query, pages: [matching], keyOf: numberOf, subject: JSON.stringify(wanted) })
}

interface ListKeys {
  field: RefObject<HTMLInputElement | null>
  table: RefObject<TableHandle | null>
  mayEdit: boolean
  /** The first pinned environment, where the keys switch flags. */
  place: string | undefined
  active: IndexedFlag | undefined
  ask: (asked: Asked) => void
}

function useListKeys({ field, table, mayEdit, place, active, ask }: ListKeys) {
  const switchKey = (verb: string, action: SwitchAction): Key =>
    active
      ? { label: `${verb} ${active.name} in ${place}`, act: () => ask({ flag: active.key, action }) }
      : { label: `${verb} the flag in ${place}` }
  useKeys({
    '/': { label: 'Filter this list', act: () => field.current?.focus() },
    j: { label: 'Next flag', act: () => table.current?.focusRow(1) },
    k: { label: 'Previous flag', act: () => table.current?.focusRow(-1) },
    ...(mayEdit && place !== undefined && { p: switchKey('Pause', 'pause'), r: switchKey('Run', 'run') }),
    // The table acts on these.
    enter: { label: 'Open the flag' },
    ...(mayEdit && { x: { label: 'Select the flag' }, 'shift+x': { label: 'Select up to this flag' } }),
  })
}

const isFilteredBy = (search: FlagSearch): boolean => search.q !== undefined || Object.keys(chosenIn(search)).length > 0

/** The usual views, with how many flags each has. What is searched for or filtered by hand is none of them. */
function Views({ flags, environments, search }: Pick<ListProps, 'flags' | 'environments'> & { search: FlagSearch }) {
  const { params } = usePlace()
  const { user } = useSession()
  const now = useNow()
  const texts = useMemo(() => listed(flags), [flags])
  const { sort, columns } = search
  return (
    <PageTabs label="Views">
      {flagViews(environments, user.id).map((view) => (
        <TextLink
          key={view.name}
          to="/$org/$project/flags"
          params={params}
          search={flagSearch({ sort, columns, ...view.search }) as never}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {view.name} <span className={classes.count}>{filtered(texts, environments, view.search, now).length}</span>
        </TextLink>
      ))}
    </PageTabs>
  )
}

interface FlagToolbarProps extends Pick<ListProps, 'flags' | 'environments' | 'owners'> {
  pinned: readonly IndexedEnvironment[]
  search: FlagSearch
  go: (next: FlagSearch) => void
  field: RefObject<HTMLInputElement | null>
  /** The number of flags that match. */
  shown: number
}

function FlagToolbar({ flags, environments, owners, pinned, search, go, field, shown }: FlagToolbarProps) {
  const { project } = usePlace()
  // Archived flags are shown, and counted, only if the filter asks for them.
  const count = counted(flags.filter(({ status }) => status !== 'ARCHIVED').length, 'flag')
  return (
    <Toolbar
      search={{
        text: search.q ?? '',
        onSearch: (q) => go({ ...search, q: q === '' ? undefined : q } as FlagSearch),
        label: 'Filter by name, key or tag',
        ref: field,
      }}
      filters={filtersOf(flags, environments, owners)}
      chosen={chosenIn(search)}
      onChoose={(chosen) => go(withChosen(search, chosen))}
      sort={{
        options: [
          { value: 'updated', label: 'Last edited' },
          { value: 'name', label: 'Name' },
          { value: 'status', label: 'Status' },
          { value: 'evaluated', label: 'Last evaluated' },
          ...environments.map(({ key, name }) => ({ value: byRunning(key), label: `Running in ${name}` })),
        ],
        ...sortOf(search),
        onSort: (by, isDescending) => go({ ...search, sort: `${isDescending ? '-' : ''}${by}` }),
      }}
      columns={{
        options: environments.map(({ key, name }) => ({ value: key, label: name })),
        shown: pinned.map(({ key }) => key),
        max: pinnedMax,
        onShow: (keys) => {
          keepColumns(project.id, keys)
          go({ ...search, columns: keys.join(',') })
        },
      }}
      count={countWords(search, shown, count)}
    />
  )
}

/** "3 of 40 flags". Archived flags are none of the 40. */
function countWords(search: FlagSearch, shown: number, all: string): string {
  if (!isFilteredBy(search)) return all
  return chosenIn(search).status?.includes('ARCHIVED')
    ? counted(shown, 'flag')
    : `${shown.toLocaleString('en')} of ${all}`
}

function NoMatch({ search, go }: Pick<FlagToolbarProps, 'search' | 'go'>) {
  const isFiltered = isFilteredBy(search)
  const clear = () => go(flagSearch({ sort: search.sort, columns: search.columns }))
  const showArchived = () => go(withChosen(search, { status: ['ARCHIVED'] }))
  return (
    <EmptyState
      icon={<IconFlag size={36} />}
      title="No flag matches"
      action={
        <Button variant="default" onClick={isFiltered ? clear : showArchived}>
          {isFiltered ? 'Clear filters' : 'Show archived flags'}
        </Button>
      }
    >
      {isFiltered ? 'No flag matches all filters.' : 'All flags are archived.'}
      {search.use === 'stale' &&
        ' A flag is stale 90 days after its last change, or 30 days after its last evaluation.'}
    </EmptyState>
  )
}

const numberOf = ({ shortId }: IndexedFlag): string => String(shortId)

/** A title sorts by its column; a second click turns the order around. Times begin with the latest. */
function nextSort({ by, isDescending }: Sort, wanted: Sort['by']): string {
  const startsDescending = wanted === 'updated' || wanted === 'evaluated'
  const next = by === wanted ? !isDescending : startsDescending
  return `${next ? '-' : ''}${wanted}`
}
