import { NativeSelect, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { type EventName, sentEvents } from '../deliveries/events.ts'
import { type Kind, previewPath } from './destination-path.ts'
import { Previewed } from './previewed.tsx'

interface PreviewProps {
  kind: Kind
  config: Record<string, unknown>
  template: { title: string | null; summary: string | null } | null
  events: readonly string[]
}

const typingMs = 400

/** What one of the chosen events would send, made by the service from the last one that has happened. */
export function Preview({ events, ...asked }: PreviewProps) {
  const { project } = usePlace()
  const choices = events.filter((name) => sentEvents.includes(name))
  const [chosen, setChosen] = useState<string>()
  const event = chosen && choices.includes(chosen) ? chosen : choices[0]
  const [body] = useDebouncedValue({ ...asked, event: event as EventName }, typingMs)
  const query = useQuery({
    queryKey: ['preview', project.id, body],
    enabled: body.event !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.POST(previewPath, { params: { path: { projectId: project.id } }, body, signal })).data!.data,
  })
  if (!event) return <Text size="sm">Choose an event to see its message.</Text>
  const { data } = query
  return (
    <>
      <NativeSelect
        label="Event"
        data={choices}
        value={event}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <FailureNotice error={query.isLoadingError ? query.error : null} />
      {data && (
        <>
          <Previewed kind={asked.kind} preview={data} />
          <Text size="xs" c="dimmed">
            {data.eventId === null
              ? 'An example, because no such event has happened in this project yet.'
              : 'Made from the last event with this name.'}
          </Text>
        </>
      )}
    </>
  )
}
