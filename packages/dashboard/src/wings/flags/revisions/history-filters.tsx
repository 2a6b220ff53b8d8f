import { useNavigate, useSearch } from '@tanstack/react-router'
import { server } from '../../../api.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useMay } from '../../../shell/session.ts'
import { Toolbar } from '../../../ui/table/toolbar.tsx'
import type { Revision } from './revision-words.ts'

/** The search part of the address of a history. */
export interface HistorySearch {
  env?: string
  /** The id of a person or a token. */
  by?: string
  /** The key of a flag. */
  flag?: string
}

const membersMax = 100

interface HistoryFiltersProps {
  ofOneFlag: boolean
  revisions: readonly Revision[]
}

/** Whose changes are shown, and of which flag. */
export function HistoryFilters({ ofOneFlag, revisions }: HistoryFiltersProps) {
  const search = useSearch({ strict: false }) as HistorySearch
  const navigate = useNavigate()
  const { data: index } = useProjectIndex()
  const params = { query: { limit: membersMax } }
  const members = server.useQuery('get', '/api/v1/members', { params }, { enabled: useMay('members:read') })
  const people = new Map((members.data?.data ?? []).map(({ userId, name }) => [userId, name]))
  // Tokens publish too, and people who have left.
  for (const { publishedBy: by } of revisions) if (by?.id && !people.has(by.id)) people.set(by.id, by.name)
  if (search.by !== undefined && !people.has(search.by)) people.set(search.by, 'This person')
  const flags = index?.flags ?? []
  const inOrder = (options: { value: string; label: string }[]) =>
    options.sort((one, other) => one.label.localeCompare(other.label, 'en'))
  return (
    <Toolbar
      filters={[
        {
          key: 'by',
          label: 'Person',
          isSingle: true,
          options: inOrder([...people].map(([value, label]) => ({ value, label }))),
        },
        ...(ofOneFlag || flags.length === 0
          ? []
          : [
              {
                key: 'flag',
                label: 'Flag',
                isSingle: true,
                options: inOrder(flags.map(({ key, name }) => ({ value: key, label: name }))),
              },
            ]),
      ]}
      chosen={{
        ...(search.by !== undefined && { by: [search.by] }),
        ...(!ofOneFlag && search.flag !== undefined && { flag: [search.flag] }),
      }}
      onChoose={({ by, flag }) =>
        void navigate({
          to: '.',
          search: (({ by: _by, flag: _flag, ...old }: HistorySearch) => ({
            ...old,
            ...(by?.[0] !== undefined && { by: by[0] }),
            ...(flag?.[0] !== undefined && { flag: flag[0] }),
          })) as never,
          resetScroll: false,
        })
      }
    />
  )
}
