import { Button, Code, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconBell } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, server } from '../../../api.ts'
import { useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { DangerDialog } from '../../../ui/danger-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ButtonLink, TextLink } from '../../../ui/links.tsx'
import { allOf } from '../../../ui/lists.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Time, useNow } from '../../../ui/time.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import { DeliveryList } from '../deliveries/delivery-list.tsx'
import type { DeliverySearch } from '../deliveries/delivery-search.ts'
import { eventsInWords } from '../deliveries/events.ts'
import { warningOf } from '../deliveries/health.ts'
import classes from '../deliveries/sender-page.module.css'
import { TestPing } from '../deliveries/test-ping.tsx'
import {
  type Destination,
  destinationPaths,
  destinationSender,
  listPath,
  onePath,
  previewPath,
} from './destination-path.ts'
import { stateOf } from './destination-state.ts'
import { rowOf } from './kinds.ts'
import { MessagePicture } from './message-picture.tsx'

const DeliveryPanel = lazy(async () => ({ default: (await import('../deliveries/delivery-panel.tsx')).DeliveryPanel }))

/** Health and deliveries can change without anybody doing something here. */
const readAgainMs = 10_000

/** One destination: whether it works, what to do if not, and every delivery. */
export function DestinationPage() {
  return useMay('integrations:read') ? (
    <OneDestination />
  ) : (
    <Page title="Destination">
      <OnlyFor>
        Your role does not include reading destinations. The permission that opens this page is “integrations:read”.
      </OnlyFor>
    </Page>
  )
}

function OneDestination() {
  const { project, params } = usePlace()
  const { destination: destinationId } = useParams({
    from: '/inside/$org/$project/integrations/destinations/$destination',
  })
  const query = server.useQuery(
    'get',
    onePath,
    { params: { path: { projectId: project.id, destinationId } } },
    { refetchInterval: readAgainMs },
  )
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title="No such destination">
        <EmptyState
          icon={<IconBell size={36} />}
          title="This destination does not exist"
          action={
            <ButtonLink to="/$org/$project/integrations/destinations" params={params} variant="default">
              All destinations of {project.name}
            </ButtonLink>
          }
        >
          It may have been deleted, or the address is wrong.
        </EmptyState>
      </Page>
    )
  if (!query.data)
    return (
      <Page title="Destination">
        <Loaded query={query} lines={6}>
          {() => null}
        </Loaded>
      </Page>
    )
  return <Content destination={query.data.data} />
}

function Content({ destination }: { destination: Destination }) {
  const { project, params } = usePlace()
  const { id, name, kind, events, enabled } = destination
  const mayEdit = useMay('integrations:write')
  const search: DeliverySearch = useSearch({ from: '/inside/$org/$project/integrations/destinations/$destination' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const done = useDone()
  const now = useNow()
  const [asking, setAsking] = useState<'off' | 'delete'>()
  const close = () => setAsking(undefined)
  const path = { projectId: project.id, destinationId: id }
  const edit = {
    to: '/$org/$project/integrations/destinations/$destination/edit',
    params: { ...params, destination: id },
  } as const
  useKeys(mayEdit ? { e: { label: 'Edit the destination', act: () => void navigate(edit) } } : {})
  const { tone, words } = stateOf(destination, now)
  const sender = destinationSender(destination)
  const setEnabled = (isOn: boolean) => api.PATCH(onePath, { params: { path }, body: { enabled: isOn } })
  return (
    <Page
      title={name}
      description={
        <TextLink to="/$org/$project/integrations/destinations" params={params}>
          All destinations
        </TextLink>
      }
      actions={
        mayEdit && (
          <>
            <Button variant="default" onClick={() => setAsking('delete')}>
              Delete…
            </Button>
            {enabled && (
              <Button variant="default" onClick={() => setAsking('off')}>
                Switch off…
              </Button>
            )}
            <ButtonLink {...edit} variant="default">
              Edit
            </ButtonLink>
          </>
        )
      }
    >
      {!mayEdit && <OnlyFor>You can look at destinations and deliveries. Admins can change them.</OnlyFor>}
      <div className={classes.facts}>
        <StatusBadge tone={tone}>{words}</StatusBadge>
        <span>{rowOf(kind).label}</span>
        <span className={classes.address}>
          <Code>{placeOf(destination)}</Code>
        </span>
        <Text size="sm" c="dimmed">
          {eventsInWords(events)}
          {destination.allProjects && ', of every project'}
        </Text>
      </div>
      {destination.unconfirmed.length > 0 && (
        <Notice tone="note" title="Waiting for an answer">
          <Text size="sm">
            {allOf(destination.unconfirmed, 20)} {destination.unconfirmed.length === 1 ? 'gets' : 'get'} nothing before
            they agree. A mail with a link has asked them. After a day, saving the destination again asks once more.
          </Text>
        </Notice>
      )}
      <Health destination={destination} mayEdit={mayEdit} switchOn={() => setEnabled(true)} />
      {mayEdit && <TestPing sender={sender} />}
      <DeliveryList sender={sender} search={search} mayEdit={mayEdit} />
      <Suspense fallback={null}>
        {search.delivery !== undefined && (
          <DeliveryPanel
            sender={sender}
            deliveryId={search.delivery}
            mayEdit={mayEdit}
            request={<Told destination={destination} recordId={search.delivery} />}
          />
        )}
      </Suspense>
      {asking === 'off' && (
        <ConfirmDialog
          title={`Switch off ${name}?`}
          verb="Switch off"
          act={async () => {
            await setEnabled(false)
            await done(`${name} is off.`, ...destinationPaths)
          }}
          onClose={close}
        >
          It hears no more events. What waits now is held until you switch it on.
        </ConfirmDialog>
      )}
      {asking === 'delete' && (
        <DangerDialog
          title={`Delete ${name}?`}
          verb="Delete destination"
          typed={name}
          act={async () => {
            await api.DELETE(onePath, { params: { path } })
            await navigate({ to: '/$org/$project/integrations/destinations', params })
            await refresh(client, listPath)
            announce(`${name} deleted.`)
          }}
          onClose={close}
        >
          It hears no more events, what waits is not sent, and its history is gone. Messages and tickets that it made
          stay. This cannot be undone.
        </DangerDialog>
      )}
    </Page>
  )
}

/** Where it leads, as far as that is no secret. */
function placeOf({ config }: Destination): string {
  const { to, ...others } = config as { to?: string[] } & Record<string, unknown>
  const { url, owner, repo, site, projectKey, teamId, routingKey } = others as Record<string, string | undefined>
  if (to) return to.join(', ')
  if (url) return url
  if (owner) return `${owner}/${repo}`
  if (site) return `${site} ${projectKey}`
  return teamId ?? routingKey ?? ''
}

interface HealthProps {
  destination: Destination
  mayEdit: boolean
  switchOn: () => Promise<unknown>
}

function Health({ destination, mayEdit, switchOn }: HealthProps) {
  const done = useDone()
  const act = useMutation({
    mutationFn: switchOn,
    onSuccess: () => done(`${destination.name} is on again. Held deliveries are sent now.`, ...destinationPaths),
    onError: (error) => announce(error.message),
  })
  const warning = warningOf(destination, 'destination')
  if (warning) return <Notice tone="warning">{warning}</Notice>
  if (destination.enabled) return null
  const isByFailures = destination.disableReason !== null
  return (
    <Notice
      tone={isByFailures ? 'bad' : 'note'}
      title={isByFailures ? 'Disabled after failures' : 'Switched off'}
      actions={
        mayEdit && (
          <Button onClick={() => act.mutate()} loading={act.isPending}>
            Switch on again
          </Button>
        )
      }
    >
      <p className={classes.since}>
        {destination.disableReason ?? 'A person switched it off.'} Off since{' '}
        <Time time={destination.disabledAt} isStop />.
      </p>
      What waited then is held; it continues when you switch it on. Later events are not told.
    </Notice>
  )
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
      {({ message }) => <MessagePicture message={message} />}
    </Loaded>
  )
}
