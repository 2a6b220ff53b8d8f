import { NativeSelect, Text, Title } from '@mantine/core'
import type { Data } from '@svc/client'
import { eventCatalogue } from '@svc/client/catalogue'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../../api.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import classes from './filter-preview.module.css'
import { previewInWords } from './filter-words.ts'

const path = '/api/dashboard/organization/notifications/preview'

type Filter = Data<'/api/dashboard/organization', 'get'>['notifications']
type Preview = Data<typeof path, 'post'>
type Example = Preview['passing'][number]

const spans = [
  { value: '1', label: 'The last day' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
]

/** What the filter would have done with the events of the last days. Undefined if there is no word yet. */
export function FilterPreview({ filter }: { filter: Filter | undefined }) {
  const id = useId()
  const [days, setDays] = useState(7)
  const query = useQuery({
    queryKey: ['post', path, filter, days],
    queryFn: async ({ signal }) =>
      (await api.POST(path, { body: { notifications: filter ?? null, days }, signal })).data!.data,
    enabled: filter !== undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <section className={classes.preview} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={3} id={id}>
          On past events
        </Title>
        <NativeSelect
          aria-label="Events of"
          size="xs"
          data={spans}
          value={String(days)}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        />
      </div>
      {filter === undefined ? (
        <Text size="sm" c="dimmed">
          Enter a word to see which events would pass.
        </Text>
      ) : (
        <Loaded query={query} lines={4}>
          {(preview) => <Content preview={preview} days={days} />}
        </Loaded>
      )}
    </section>
  )
}

const maxEvents = 10_000

function Content({ preview, days }: { preview: Preview; days: number }) {
  const { safety, byEvent, keywords, passing, stopped, hasMore } = preview
  const idle = keywords.filter(({ matches }) => matches === 0).map(({ keyword }) => `“${keyword}”`)
  return (
    <>
      <div role="status">
        <Text fw={600}>{previewInWords(preview, days)}</Text>
        <Text size="sm" c="dimmed">
          {safety > 0 &&
            `Besides, ${safety === 1 ? '1 safety event passes' : `${safety} safety events pass`} any filter. `}
          {hasMore && `These are the latest ${maxEvents.toLocaleString('en')} events. There were more.`}
        </Text>
      </div>
      {idle.length > 0 && preview.events > 0 && (
        <Notice>
          No event mentions {allOf(idle)}. {idle.length === 1 ? 'The word' : 'The words'} may be misspelled.
        </Notice>
      )}
      {byEvent.length > 0 && (
        <DataTable caption="By event" rows={byEvent} keyOf={({ event }) => event} columns={columns} />
      )}
      <Examples title="Would pass" examples={passing} />
      <Examples title="Would be left out" examples={stopped} />
    </>
  )
}

const meanings: Record<string, { meaning: string } | undefined> = eventCatalogue
const meaningOf = (event: string) => meanings[event]?.meaning ?? event

const columns: Column<Preview['byEvent'][number]>[] = [
  {
    title: 'Event',
    cell: ({ event }) => (
      <Text span inherit fw={400}>
        {meaningOf(event)}
      </Text>
    ),
  },
  { title: 'Pass', cell: ({ passed }) => passed.toLocaleString('en') },
  { title: 'Left out', cell: ({ stopped }) => stopped.toLocaleString('en') },
]

function Examples({ title, examples }: { title: string; examples: readonly Example[] }) {
  const id = useId()
  if (examples.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} id={id}>
        {title}
      </Text>
      <ul className={classes.examples} aria-labelledby={id}>
        {examples.map(({ event, name, project, occurredAt }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events can be alike in everything
          <li key={index}>
            {meaningOf(event)}: <strong>{name ?? project}</strong>
            <span className={classes.where}>
              {name !== null && `in ${project}, `}
              <Time time={occurredAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
