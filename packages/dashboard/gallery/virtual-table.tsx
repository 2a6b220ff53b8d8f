import { Button, Stack, Text } from '@mantine/core'
import { useDeferredValue, useRef, useState } from 'react'
import { TextLink } from '../src/ui/links/links.tsx'
import { Person } from '../src/ui/names/person.tsx'
import { LiveSwitch } from '../src/ui/status/live-switch.tsx'
import { Status, StatusBadge } from '../src/ui/status/status-badge.tsx'
import type { Chosen } from '../src/ui/table/filters.ts'
import type { TableHandle } from '../src/ui/table/grid-focus.ts'
import type { GridColumn } from '../src/ui/table/grid-parts.tsx'
import { Toolbar } from '../src/ui/table/toolbar.tsx'
import { VirtualTable } from '../src/ui/table/virtual-table.tsx'
import { Time } from '../src/ui/time/time.tsx'
import { type SampleFlag, sampleFlags } from './samples.ts'

/** `?rows=5000` shows more. */
const count = Number(new URLSearchParams(location.search).get('rows') ?? 20)
const flags = sampleFlags(count)

const filters = [
  {
    key: 'status',
    label: 'Status',
    options: [
      { value: 'RUNNING', label: 'Running' },
      { value: 'PAUSED', label: 'Paused' },
      { value: 'DRAFT', label: 'Not started' },
      { value: 'ARCHIVED', label: 'Archived' },
    ],
  },
  {
    key: 'tag',
    label: 'Tag',
    options: Array.from({ length: 30 }, (_, at) => ({ value: `tag-${at}`, label: `tag-${at}` })),
  },
]

const columns: GridColumn<SampleFlag>[] = [
  {
    key: 'name',
    title: 'Flag',
    width: 'minmax(0, 3fr)',
    sorts: true,
    cell: ({ key, name, unpublished }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600} truncate>
          <TextLink to="/">{name}</TextLink>
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {key} {unpublished > 0 && `· ${unpublished} unpublished`}
        </Text>
      </Stack>
    ),
  },
  { key: 'status', title: 'Status', width: '8rem', cell: ({ status }) => <Status of="flag" value={status} /> },
  {
    key: 'production',
    title: 'Production',
    width: '6rem',
    cell: ({ name, status }) => (
      <LiveSwitch
        label={`${name} in Production`}
        isRunning={status === 'RUNNING'}
        onSwitch={() => {}}
        onAsk={() => {}}
        consequence={{ run: '', pause: '' }}
      />
    ),
  },
  {
    key: 'evaluated',
    title: 'Evaluated',
    width: '8rem',
    sorts: true,
    cell: ({ evaluatedAt }) => <Time time={evaluatedAt} />,
  },
  {
    key: 'edited',
    title: 'Edited',
    width: '10rem',
    isWide: true,
    isNotInCards: true,
    cell: ({ editedBy }) => <Person name={editedBy} />,
  },
]

/** The page of a list: toolbar, table, selection. */
export default function VirtualTablePage() {
  const search = useRef<HTMLInputElement>(null)
  const handle = useRef<TableHandle>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Chosen>({ status: ['RUNNING', 'PAUSED'] })
  const [sort, setSort] = useState({ by: 'name', isDescending: false })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['flag-2']))
  const [opened, setOpened] = useState<string>()
  const wanted = useDeferredValue(text.toLowerCase())
  const rows = flags.filter(
    ({ name, status }) =>
      name.toLowerCase().includes(wanted) && (!chosen.status || chosen.status.includes(status)) && !chosen.tag,
  )
  return (
    <section aria-label="Flags">
      <Stack gap="md">
        <Toolbar
          search={{ text, onSearch: setText, label: 'Filter by name, key or tag', ref: search }}
          filters={filters}
          chosen={chosen}
          onChoose={setChosen}
          sort={{
            options: [
              { value: 'name', label: 'Name' },
              { value: 'evaluated', label: 'Last evaluated' },
            ],
            ...sort,
            onSort: (by, isDescending) => setSort({ by, isDescending }),
          }}
          columns={{
            options: [{ value: 'status', label: 'Status' }],
            shown: ['status'],
            max: 4,
            onShow: () => {},
          }}
          count={`${rows.length.toLocaleString('en')} of ${count.toLocaleString('en')} flags`}
        />
        <VirtualTable
          caption="Flags"
          rows={rows}
          keyOf={({ key }) => key}
          nameOf={({ name }) => name}
          columns={columns}
          lines={2}
          onOpen={({ key }) => setOpened(key)}
          sort={{ ...sort, onSort: (by) => setSort({ by, isDescending: by === sort.by && !sort.isDescending }) }}
          selection={{
            selected,
            onSelect: setSelected,
            actions: (
              <>
                <Button variant="default">Pause in…</Button>
                <Button variant="default">Add tag</Button>
              </>
            ),
          }}
          handle={handle}
        />
        {opened && <StatusBadge tone="note">Opened {opened}</StatusBadge>}
      </Stack>
    </section>
  )
}
