import { Button, Code, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, byCursor, server } from '../../../api.ts'
import { idOf } from '../../../shell/held-rows.ts'
import { PagedList } from '../../../shell/paged-list.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Toolbar } from '../../../ui/table/toolbar.tsx'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { answerOf, canRetry, type Delivery, deliveryState, subjectOf } from './delivery.ts'
import classes from './delivery-list.module.css'
import { chosenIn, type DeliverySearch, filters, filtersOf, isFiltered } from './delivery-search.ts'
import { type EventName, meaningOf, sentEvents, testEvent } from './events.ts'
import { ReplayProgress, useReplayed } from './replayed.tsx'
import { pathsOf, type Sender } from './sender.ts'
import { usePanel } from './use-panel.ts'

const Replay = lazy(async () => ({ default: (await import('./replay.tsx')).Replay }))

const readAgainMs = 10_000

interface DeliveryListProps {
  sender: Sender
  search: DeliverySearch
  mayEdit: boolean
}

/** The deliveries of the last 30 days, newest first. The filters and the open delivery are in the address. */
export function DeliveryList({ sender, search, mayEdit }: DeliveryListProps) {
  const navigate = useNavigate()
  const [panel, open, close] = usePanel()
  const { replayed, ...progress } = useReplayed(sender)
  const query = useDeliveries(sender, search)
  const choose = (change: Partial<DeliverySearch>) =>
    void navigate({
      to: '.',
      search: ((old: object) => withoutEmpty({ ...old, ...change })) as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <Section
      title="Deliveries"
      description="Of the last 30 days, newest first."
      actions={
        mayEdit && (
          <Button variant="default" onClick={() => open('replay')}>
            Replay a time range…
          </Button>
        )
      }
    >
      {replayed && <ReplayProgress sender={sender} replayed={replayed} onClose={progress.close} />}
      <Toolbar
        filters={filters}
        chosen={chosenIn(search)}
        onChoose={(chosen) => choose(Object.fromEntries(filters.map(({ key }) => [key, chosen[key]?.[0] ?? ''])))}
      />
      <PagedList
        query={query}
        noun="delivery"
        nouns="deliveries"
        Icon={IconSend}
        like="table"
        lines={5}
        empty={{
          title: 'No deliveries yet',
          words: mayEdit
            ? 'Send a test to see whether it arrives. Events follow as soon as something changes.'
            : 'They appear here as soon as something changes.',
        }}
        filter={{
          subject: JSON.stringify(chosenIn(search)),
          isFiltered: isFiltered(search),
          onClear: () => choose({ status: '', event: '', since: '' }),
          nothing: 'No delivery of the last 30 days matches all filters.',
        }}
      >
        {(rows) => <DeliveryTable rows={rows} sender={sender} search={search} mayEdit={mayEdit} />}
      </PagedList>
      <Suspense fallback={null}>
        {mayEdit && panel === 'replay' && <Replay sender={sender} onReplayed={progress.show} onClose={close} />}
      </Suspense>
    </Section>
  )
}

function useDeliveries(sender: Sender, search: DeliverySearch) {
  const { project } = usePlace()
  // The start of a span stays the same while the page is open, or each look would be a new list.
  const [openedAt] = useState(() => new Date())
  const wanted = filtersOf(search, openedAt, sentEvents)
  return server.useInfiniteQuery(
    'get',
    sender.kind.paths.deliveries,
    {
      params: {
        path: sender.kind.at(project.id, sender.id),
        query: { limit: 25, ...wanted } as { limit: number; eventType?: EventName },
      },
    },
    {
      ...byCursor,
      // Only the first page: with more of them, someone is reading.
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : readAgainMs),
    },
  )
}

const withoutEmpty = (search: object) => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))

function DeliveryTable({ rows, sender, search, mayEdit }: DeliveryListProps & { rows: Delivery[] }) {
  const { params } = usePlace()
  const now = useNow()
  const columns: Column<Delivery>[] = [
    {
      title: 'Event',
      cell: (delivery) => (
        <div>
          <TextLink
            to={sender.kind.pages.one}
            params={{ ...params, ...sender.kind.pages.params(sender.id) }}
            search={{ ...search, delivery: delivery.id }}
            resetScroll={false}
            title={meaningOf(delivery.eventType)}
          >
            <Code>{delivery.eventType}</Code>
          </TextLink>
          <Text size="xs" c="dimmed" className={classes.subject ?? ''}>
            {subjectOf(delivery.payload)}
          </Text>
        </div>
      ),
    },
    {
      title: 'State',
      cell: (delivery) => {
        const { tone, words } = deliveryState(delivery, !sender.enabled, now)
        return <StatusDot tone={tone}>{words}</StatusDot>
      },
    },
    {
      title: 'Answer',
      cell: (delivery) => <span className={classes.subject}>{answerOf(delivery) ?? 'None yet'}</span>,
    },
    { title: 'Created', cell: ({ createdAt }) => <Time time={createdAt} /> },
  ]
  if (mayEdit && rows.some(canRetry))
    columns.push({
      title: 'Actions',
      isActions: true,
      cell: (delivery) =>
        canRetry(delivery) && delivery.eventType !== testEvent && <Retry sender={sender} delivery={delivery} />,
    })
  return <DataTable caption="Deliveries" rows={rows} keyOf={idOf} columns={columns} />
}

/** Starts the tries of a failed delivery again. */
export function Retry({ sender, delivery }: { sender: Sender; delivery: Delivery }) {
  const { project } = usePlace()
  const done = useDone()
  const retry = useMutation({
    mutationFn: () =>
      api.POST(`${sender.kind.paths.delivery}/retry`, {
        params: { path: sender.kind.deliveryAt(project.id, sender.id, delivery.id) },
      }),
    onSuccess: () =>
      done(
        sender.enabled ? 'Sent again.' : `It is sent again when you switch the ${sender.kind.noun} on.`,
        ...pathsOf(sender.kind),
      ),
    onError: (error) => announce(error.message),
  })
  return (
    <Button
      size="xs"
      variant="default"
      loading={retry.isPending}
      onClick={() => retry.mutate()}
      aria-label={['Retry', delivery.eventType, subjectOf(delivery.payload)].filter(Boolean).join(' ')}
    >
      Retry
    </Button>
  )
}
