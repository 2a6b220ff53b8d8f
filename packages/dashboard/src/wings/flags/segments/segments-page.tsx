import { Button, Text } from '@mantine/core'
import { IconListDetails, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useKeys } from '../../../shell/keys.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { counted } from '../../../ui/lists.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { OnlyFor } from '../../../ui/only-for.tsx'
import { Page } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { named } from '../references/named.ts'
import { type Segment, useSegments } from './segment.ts'
import { SegmentDialog } from './segment-form.tsx'

/** Every segment of the project with the number of its visitor ids. */
export function SegmentsPage() {
  const { params } = usePlace()
  const navigate = useNavigate()
  const { q = '', panel } = useSearch({ from: '/inside/$org/$project/segments' })
  const query = useSegments()
  const mayEdit = useMay('segments:write')
  const field = useRef<HTMLInputElement>(null)
  const go = (next: { q?: string; panel?: string }) =>
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false })
  const create = () => go({ ...(q && { q }), panel: 'create' })
  useKeys({
    '/': { label: 'Filter this list', act: () => field.current?.focus() },
    ...(mayEdit && { c: { label: 'Create a segment', act: create } }),
  })
  const button = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      Create segment
    </Button>
  )
  const open = ({ shortId }: Segment) =>
    navigate({ to: '/$org/$project/segments/$segment', params: { ...params, segment: String(shortId) } })
  const columns: Column<Segment>[] = [
    {
      title: 'Segment',
      cell: ({ name, shortId, description }) => (
        <>
          <TextLink
            to="/$org/$project/segments/$segment"
            params={{ ...params, segment: String(shortId) }}
            underline="hover"
          >
            {name}
          </TextLink>
          {description && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {description}
            </Text>
          )}
        </>
      ),
    },
    { title: 'Visitor ids', cell: ({ count }) => count.toLocaleString('en') },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <Page
      title="Segments"
      description="Lists of visitor ids. Rules and audiences refer to them, and changes of a list act at once."
      actions={query.data?.length !== 0 && button}
    >
      {!mayEdit && <OnlyFor>You can look at segments. Editors and admins can change them and see their ids.</OnlyFor>}
      <Loaded query={query} like="table" lines={5}>
        {(segments) => {
          const rows = named(segments, q)
          if (segments.length === 0)
            return (
              <EmptyState icon={<IconListDetails size={36} />} title="No segments yet" action={button}>
                A segment is a list of visitor ids, for example the customers of a pilot. Paste the ids or take them
                from a CSV file.
              </EmptyState>
            )
          return (
            <>
              <Toolbar
                search={{
                  text: q,
                  onSearch: (text) => go(text === '' ? {} : { q: text }),
                  label: 'Filter by name or description',
                  ref: field,
                }}
                count={
                  q === ''
                    ? counted(segments.length, 'segment')
                    : `${rows.length} of ${counted(segments.length, 'segment')}`
                }
              />
              {rows.length === 0 ? (
                <EmptyState
                  icon={<IconListDetails size={36} />}
                  title="No segment matches"
                  action={
                    <Button variant="default" onClick={() => go({})}>
                      Clear the filter
                    </Button>
                  }
                >
                  No name and no description contains this text.
                </EmptyState>
              ) : (
                <DataTable caption="Segments" rows={rows} keyOf={({ id }) => id} columns={columns} />
              )}
            </>
          )
        }}
      </Loaded>
      {panel === 'create' && mayEdit && <SegmentDialog onClose={() => go(q ? { q } : {})} done={open} />}
    </Page>
  )
}
