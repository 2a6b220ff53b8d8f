import { Button } from '@mantine/core'
import { IconPlus, type TablerIcon } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { counted, withArticle } from '../ui/lists.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Toolbar, type ToolbarProps } from '../ui/toolbar.tsx'
import { useKeys } from './keys.ts'
import { OnlyFor } from './only-for.tsx'

interface ListPageProps<Row> {
  /** "audience". The title, the buttons and the count follow from it. */
  noun: string
  description: string
  Icon: TablerIcon
  query: { data: Row[] | undefined; error: unknown; refetch: () => unknown }
  mayEdit: boolean
  /** For people who may not edit: "You can look at audiences. Editors and admins can change them." */
  onlyFor: string
  /** What such a thing is for, while there is none. */
  empty: ReactNode
  filter: {
    /** "name or description": the texts that it looks in. */
    in: string
    matching: (rows: readonly Row[], text: string) => Row[]
    /** In the place of the rows, where the page shows a part of the list that is empty. */
    nothing?: string
  }
  /** More filters beside the text. The page keeps them in the address. */
  filters?: Required<Pick<ToolbarProps, 'filters' | 'chosen' | 'onChoose'>>
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
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { noun, description, Icon, query, mayEdit, onlyFor, empty, filter, like = 'table', above } = props
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
  const create = () => open('create')
  useKeys({
    '/': { label: 'Filter this list', act: () => field.current?.focus() },
    ...(mayEdit && { c: { label: `Create ${withArticle(noun)}`, act: create } }),
  })
  const button = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      Create {noun}
    </Button>
  )
  return (
    <Page
      title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`}
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
              </EmptyState>
            )
          const rows = filter.matching(all, q)
          return (
            <>
              <Toolbar
                search={{ text: q, onSearch: (text) => go(text), label: `Filter by ${filter.in}`, ref: field }}
                count={
                  rows.length === all.length
                    ? counted(all.length, noun)
                    : `${rows.length} of ${counted(all.length, noun)}`
                }
                {...props.filters}
              />
              {rows.length === 0 ? (
                <EmptyState
                  icon={<Icon size={36} />}
                  title={(q === '' && filter.nothing) || `No ${noun} matches`}
                  action={
                    q !== '' && (
                      <Button variant="default" onClick={() => go('')}>
                        Clear the filter
                      </Button>
                    )
                  }
                >
                  {q !== ''
                    ? `No ${filter.in} contains this text.`
                    : filter.nothing
                      ? ''
                      : `Filter for other ${noun}s.`}
                </EmptyState>
              ) : (
                props.children(rows, open)
              )}
            </>
          )
        }}
      </Loaded>
      {mayEdit && panel && props.panel(panel, () => go(q))}
    </Page>
  )
}
