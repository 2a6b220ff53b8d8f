import { Button, Stack } from '@mantine/core'
import { IconPlus, type TablerIcon } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useRef } from 'react'
import { CommandLine } from '../ui/code/command-line.tsx'
import { EmptyState } from '../ui/layout/empty-state.tsx'
import { Loaded } from '../ui/layout/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Toolbar } from '../ui/table/toolbar.tsx'
import { WaitingRows } from '../ui/table/waiting-rows.tsx'
import { capital, counted, withArticle } from '../ui/words/lists.ts'
import { idOf, useHeldRows } from './held-rows.ts'
import { useKeys } from './keys.ts'
import { OnlyFor } from './only-for.tsx'

export interface ListPageProps<Row> {
  /** "audience". The title, the buttons and the count follow from it. */
  noun: string
  description: string
  Icon: TablerIcon
  query: {
    data: Row[] | undefined
    error: unknown
    refetch: () => unknown
    isFetching: boolean
    isFetchedAfterMount: boolean
    dataUpdatedAt: number
  }
  mayEdit: boolean
  /** For people who may not edit: "You can look at audiences. Editors and admins can change them." */
  onlyFor: string
  /** What such a thing is for, while there is none. */
  empty: ReactNode
  /** What creates one in a terminal. */
  command?: string
  filter: {
    /** "name or description": the texts that it looks in. */
    in: string
    matching: (rows: readonly Row[], text: string) => Row[]
    /** In the place of the rows, where the page shows a part of the list that is empty. */
    nothing?: string
  }
  /** The link to where a new one is made, and what goes there, if that is a page and not the panel `create`. */
  create?: { link: ReactNode; go: () => void }
  /** The layout of the rows while they load. */
  like?: 'table' | 'cards'
  /** Between the heading and the list, for example tabs. */
  above?: ReactNode
  /** The panel or dialog that `?panel=` names, "create" or of a row. Only for people who may edit. */
  panel: (name: string, close: () => void) => ReactNode
  /** The rows that match: a table, or a section for each. */
  children: (rows: Row[], open: (panel: string) => void) => ReactNode
}

/**
 * A page with every thing of a kind in the project. The filter and the open panel are in the address (`?q=`, `?panel=`): the
 * route takes both with `listSearch`.
 */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { noun, description, Icon, query, mayEdit, onlyFor, empty, like = 'table', above } = props
  const navigate = useNavigate()
  const { q = '', panel } = useSearch({ strict: false })
  const field = useRef<HTMLInputElement>(null)
  const go = (text: string, opened?: string) =>
    void navigate({
      to: '.',
      search: (({ q: _q, panel: _panel, ...other }: Record<string, unknown>) => ({
        ...other,
        ...(text !== '' && { q: text }),
        ...(opened && { panel: opened }),
      })) as never,
      replace: true,
      resetScroll: false,
    })
  const open = (opened: string) => go(q, opened)
  const create = props.create?.go ?? (() => open('create'))
  useKeys({
    '/': { label: 'Filter this list', act: () => field.current?.focus() },
    ...(mayEdit && { c: { label: `Create ${withArticle(noun)}`, act: create } }),
  })
  const button =
    mayEdit &&
    (props.create?.link ?? (
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
        Create {noun}
      </Button>
    ))
  return (
    <Page
      title={`${capital(noun)}s`}
      description={description}
      actions={query.data !== undefined && query.data.length > 0 && button}
    >
      {above}
      {!mayEdit && <OnlyFor>{onlyFor}</OnlyFor>}
      <Loaded query={query} like={like} lines={5}>
        {(all) => {
          if (all.length === 0)
            return (
              <EmptyState icon={<Icon size={36} />} title={`No ${noun}s yet`} action={button}>
                {empty}
                {mayEdit && props.command && <CommandLine command={props.command} />}
              </EmptyState>
            )
          return <Rows {...props} all={all} open={open} go={go} field={field} />
        }}
      </Loaded>
      {mayEdit && panel && props.panel(panel, () => go(q))}
    </Page>
  )
}

interface RowsProps<Row> extends ListPageProps<Row> {
  all: readonly Row[]
  open: (panel: string) => void
  go: (text: string) => void
  field: RefObject<HTMLInputElement | null>
}

/** The rows that match. What others edit stays in its place, and what they add waits. */
function Rows<Row extends { id: string }>({
  noun,
  Icon,
  query,
  filter,
  all,
  open,
  go,
  field,
  ...props
}: RowsProps<Row>) {
  const search: { q?: string; panel?: string } = useSearch({ strict: false })
  const { q = '' } = search
  const matching = filter.matching(all, q)
  const { panel: _panel, ...subject } = search
  const { rows, waiting, show } = useHeldRows({
    query,
    pages: [matching],
    keyOf: idOf,
    subject: JSON.stringify(subject),
  })
  return (
    <Stack gap="lg">
      <Toolbar
        search={{ text: q, onSearch: (text) => go(text), label: `Filter by ${filter.in}`, ref: field }}
        count={
          matching.length === all.length
            ? counted(all.length, noun)
            : `${matching.length} of ${counted(all.length, noun)}`
        }
      />
      <WaitingRows count={waiting} noun={noun} isFiltered={matching.length < all.length} onShow={show} />
      {rows.length === 0 ? (
        <EmptyState
          icon={<Icon size={36} />}
          title={(q === '' && filter.nothing) || `No ${noun} matches`}
          action={
            q !== '' && (
              <Button variant="default" onClick={() => go('')}>
                Clear filters
              </Button>
            )
          }
        >
          {q !== ''
            ? `No ${filter.in} contains this text.`
            : filter.nothing
              ? `The other ${noun}s are behind the tabs above.`
              : `Filter for other ${noun}s.`}
        </EmptyState>
      ) : (
        props.children(rows, open)
      )}
    </Stack>
  )
}
