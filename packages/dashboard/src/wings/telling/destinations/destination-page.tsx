import { Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { useKeys } from '../../../shell/keys.ts'
import { usePlace } from '../../../shell/place.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { eventsInWords } from '../deliveries/events.ts'
import { ReadSender } from '../deliveries/read-sender.tsx'
import classes from '../deliveries/sender-page.module.css'
import { SenderPage, useMayEdit } from '../deliveries/sender-page.tsx'
import { type Destination, destinationSender, destinations, previewPath } from './destination-path.ts'
import { stateOf } from './destination-state.ts'
import { rowOf, sortOf } from './kinds.ts'
import { Previewed } from './previewed.tsx'

export function DestinationPage() {
  const { destination } = useParams({ from: '/inside/$org/$project/integrations/destinations/$destination' })
  return (
    <ReadSender<Destination> kind={destinations} wanted={destination}>
      {(destination) => <Content destination={destination} />}
    </ReadSender>
  )
}

function Content({ destination }: { destination: Destination }) {
  const { params } = usePlace()
  const { id, kind, events, unconfirmed, allProjects } = destination
  const mayEdit = useMayEdit(destinations)
  const navigate = useNavigate()
  const now = useNow()
  const edit = {
    to: '/$org/$project/integrations/destinations/$destination/edit',
    params: { ...params, destination: id },
  } as const
  useKeys(mayEdit ? { e: { label: 'Edit the destination', act: () => void navigate(edit) } } : {})
  return (
    <SenderPage
      sender={destinationSender(destination)}
      state={stateOf(destination, now)}
      onlyFor="You can look at destinations and deliveries. Admins can change them."
      actions={
        <ButtonLink {...edit} variant="default">
          Edit
        </ButtonLink>
      }
      facts={
        <>
          <span>{rowOf(kind).label}</span>
          <span className={classes.address}>
            <Code>{placeOf(destination)}</Code>
          </span>
          <Text size="sm" c="dimmed">
            {eventsInWords(events)}
            {allProjects && ', of every project'}
          </Text>
        </>
      }
      notice={
        unconfirmed.length > 0 && (
          <Notice tone="note" title="Waiting for an answer">
            <Text size="sm">
              {allOf(unconfirmed, 20)} {unconfirmed.length === 1 ? 'gets' : 'get'} nothing before they agree. They got a
              mail with a link. After a day, saving the destination again sends another one.
            </Text>
          </Notice>
        )
      }
      told={(recordId) => <Told destination={destination} recordId={recordId} />}
    />
  )
}

/** The parts of its address that are not secret. */
function placeOf({ config }: Destination): string {
  const { to, ...others } = config as { to?: string[] } & Record<string, unknown>
  const { url, owner, repo, site, projectKey, teamId, routingKey } = others as Record<string, string | undefined>
  if (to) return to.join(', ')
  if (url) return url
  if (owner) return `${owner}/${repo}`
  if (site) return `${site} ${projectKey}`
  return teamId ?? routingKey ?? ''
}

/** What a delivery says, as it would be sent now. */
function Told({ destination: { id, kind, template }, recordId }: { destination: Destination; recordId: string }) {
  const { project } = usePlace()
  const query = useQuery({
    queryKey: ['told', id, recordId, template],
    queryFn: async ({ signal }) =>
      (
        await api.POST(previewPath, {
          params: { path: { projectId: project.id } },
          body: { kind, config: {}, template, destinationId: id, recordId },
          signal,
        })
      ).data!.data,
  })
  return (
    <Loaded query={query} lines={4}>
      {(preview) => (
        <>
          <Previewed kind={kind} preview={preview} />
          <Text size="xs" c="dimmed" mb="xs">
            As it would be sent now
            {sortOf(kind) === 'TICKET' && ', if there is no ticket yet: an open one gets a comment'}.
          </Text>
        </>
      )}
    </Loaded>
  )
}
