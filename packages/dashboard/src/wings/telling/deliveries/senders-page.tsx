import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import type { Status } from '../../../ui/status/status-words.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { capital } from '../../../ui/words/lists.ts'
import { eventsInWords } from './events.ts'
import { NotReadable } from './read-sender.tsx'
import type { SenderContent, SenderKind } from './sender.ts'
import { useSenders } from './use-senders.ts'

interface SendersPageProps<Thing> {
  kind: SenderKind
  description: string
  onlyFor: string
  empty: string
  command: string
  /** The second line of a row. */
  about: (thing: Thing) => ReactNode
  /** What the filter looks in, besides the name. */
  filter: { in: string; textOf: (thing: Thing) => string }
  state: (thing: Thing) => Status
  /** Where a new one is made, if that is a page. */
  create?: { link: ReactNode; go: () => void }
  panel?: (name: string, close: () => void) => ReactNode
}

/** All webhooks or destinations of the project, with their health. */
export function SendersPage<Thing extends SenderContent>(props: SendersPageProps<Thing>) {
  const { kind, description } = props
  return useMay(kind.scopes.read) ? (
    <Senders {...props} />
  ) : (
    <Page title={`${capital(kind.noun)}s`} description={description}>
      <NotReadable kind={kind} />
    </Page>
  )
}

function Senders<Thing extends SenderContent>(props: SendersPageProps<Thing>) {
  const { kind, description, onlyFor, empty, command, about, filter, state, create, panel } = props
  const { params } = usePlace()
  const mayEdit = useMay(kind.scopes.write)
  const query = useSenders<Thing>(kind)
  const columns: Column<Thing>[] = [
    {
      title: 'Name',
      cell: (thing) => (
        <div>
          <TextLink to={kind.pages.one} params={{ ...params, ...kind.pages.params(thing.id) }}>
            {thing.name}
          </TextLink>
          <Text size="xs" c="dimmed" fw={400} component="div">
            {about(thing)}
          </Text>
        </div>
      ),
    },
    {
      title: 'Health',
      cell: (thing) => {
        const { tone, words } = state(thing)
        return <StatusBadge tone={tone}>{words}</StatusBadge>
      },
    },
    { title: 'Events', cell: ({ events }) => eventsInWords(events) },
    { title: 'Created', cell: ({ createdAt }) => <Time time={createdAt} /> },
  ]
  const matching = (things: readonly Thing[], text: string) => {
    const wanted = text.trim().toLowerCase()
    return things.filter((thing) => `${thing.name}\n${filter.textOf(thing)}`.toLowerCase().includes(wanted))
  }
  return (
    <ListPage
      noun={kind.noun}
      description={description}
      Icon={kind.Icon}
      query={query}
      mayEdit={mayEdit}
      onlyFor={onlyFor}
      empty={empty}
      command={command}
      filter={{ in: `name or ${filter.in}`, matching }}
      panel={panel ?? (() => null)}
      {...(create && { create })}
    >
      {(rows) => <DataTable caption={`${capital(kind.noun)}s`} rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}
