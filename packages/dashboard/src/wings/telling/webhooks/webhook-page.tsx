import { Anchor, Button, Code, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { server } from '../../../api.ts'
import { useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { filterInShort } from '../../people/organizations/filter-words.ts'
import { useOrganizationSettings } from '../../people/organizations/settings.ts'
import { DeliveryList } from '../deliveries/delivery-list.tsx'
import type { DeliverySearch } from '../deliveries/delivery-search.ts'
import { eventsInWords } from '../deliveries/events.ts'
import { healthOf, warningOf } from '../deliveries/health.ts'
import { webhookSender } from '../deliveries/sender.ts'
import classes from '../deliveries/sender-page.module.css'
import { TestPing } from '../deliveries/test-ping.tsx'
import { NoWebhook } from './no-webhook.tsx'
import { ReceiverCode } from './receiver-code.tsx'
import { DeleteWebhook, type Rotated, RotatedSecret, RotateSecret, SwitchOff, useSwitchOn } from './webhook-dialogs.tsx'
import { onePath, type Webhook } from './webhook-path.ts'

const DeliveryPanel = lazy(async () => ({ default: (await import('../deliveries/delivery-panel.tsx')).DeliveryPanel }))
const EditWebhook = lazy(async () => ({ default: (await import('./edit-webhook.tsx')).EditWebhook }))

/** Health and deliveries can change without anybody doing something here. */
const readAgainMs = 10_000

/** One webhook: whether it works, what to do if not, and every delivery. */
export function WebhookPage() {
  return useMay('webhooks:read') ? (
    <OneWebhook />
  ) : (
    <Page title="Webhook">
      <OnlyFor>
        Your role does not include reading webhooks. The permission that opens this page is “webhooks:read”.
      </OnlyFor>
    </Page>
  )
}

function OneWebhook() {
  const { project } = usePlace()
  const { webhook: webhookId } = useParams({ from: '/inside/$org/$project/integrations/webhooks/$webhook' })
  const query = server.useQuery(
    'get',
    onePath,
    { params: { path: { projectId: project.id, webhookId } } },
    { refetchInterval: readAgainMs },
  )
  if (query.error instanceof ApiError && query.error.status === 404) return <NoWebhook wanted={webhookId} />
  if (!query.data)
    return (
      <Page title="Webhook">
        <Loaded query={query} lines={6}>
          {() => null}
        </Loaded>
      </Page>
    )
  return <Content webhook={query.data.data} />
}

type Asking = 'edit' | 'rotate' | 'off' | 'delete'

function Content({ webhook }: { webhook: Webhook }) {
  const sender = webhookSender(webhook)
  const { params } = usePlace()
  const mayEdit = useMay('webhooks:write')
  const search: DeliverySearch = useSearch({ from: '/inside/$org/$project/integrations/webhooks/$webhook' })
  const [asking, setAsking] = useState<Asking>()
  const [rotated, setRotated] = useState<Rotated>()
  const close = () => setAsking(undefined)
  useKeys(mayEdit ? { e: { label: 'Edit the webhook', act: () => setAsking('edit') } } : {})
  const { tone, words } = healthOf(webhook)
  return (
    <Page
      title={webhook.name}
      description={
        <TextLink to="/$org/$project/integrations/webhooks" params={params}>
          All webhooks
        </TextLink>
      }
      actions={
        mayEdit && (
          <>
            <Button variant="default" onClick={() => setAsking('delete')}>
              Delete…
            </Button>
            {webhook.enabled && (
              <Button variant="default" onClick={() => setAsking('off')}>
                Switch off…
              </Button>
            )}
            <Button variant="default" onClick={() => setAsking('rotate')}>
              Rotate secret…
            </Button>
            <Button variant="default" onClick={() => setAsking('edit')}>
              Edit
            </Button>
          </>
        )
      }
    >
      {!mayEdit && <OnlyFor>You can look at webhooks and deliveries. Admins can change them and send again.</OnlyFor>}
      <div className={classes.facts}>
        <StatusBadge tone={tone}>{words}</StatusBadge>
        <span className={classes.address}>
          <Code>{webhook.url}</Code>
          <CopyButton text={webhook.url} label="Copy" what="Address" size="xs" />
        </span>
        <Text size="sm" c="dimmed">
          {eventsInWords(webhook.events)}
        </Text>
        <OrganizationFilter />
      </div>
      <Health webhook={webhook} mayEdit={mayEdit} />
      {mayEdit && <TestPing sender={sender} />}
      <DeliveryList sender={sender} search={search} mayEdit={mayEdit} />
      <Section
        title="Receive and verify"
        description="Your server must check the signature of each request. Start from one of these."
      >
        <ReceiverCode />
      </Section>
      <Suspense fallback={null}>
        {search.delivery !== undefined && (
          <DeliveryPanel sender={sender} deliveryId={search.delivery} mayEdit={mayEdit} />
        )}
        {asking === 'edit' && <EditWebhook webhookId={webhook.id} onClose={close} />}
      </Suspense>
      {asking === 'rotate' && <RotateSecret webhook={webhook} done={setRotated} onClose={close} />}
      {rotated && <RotatedSecret webhook={webhook} rotated={rotated} onClose={() => setRotated(undefined)} />}
      {asking === 'off' && <SwitchOff webhook={webhook} onClose={close} />}
      {asking === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </Page>
  )
}

/** What the organization keeps from all its webhooks and destinations. Not everyone can read it. */
export function OrganizationFilter() {
  const { params } = usePlace()
  const filter = useOrganizationSettings().data?.content.notifications
  if (!filter) return null
  return (
    <Text size="sm" c="dimmed">
      {filterInShort(filter)}{' '}
      <TextLink to="/$org/settings/general" params={params} underline="always">
        See the filter
      </TextLink>
    </Text>
  )
}

function Health({ webhook, mayEdit }: { webhook: Webhook; mayEdit: boolean }) {
  const switchOn = useSwitchOn(webhook)
  const warning = warningOf(webhook)
  if (warning) return <Notice tone="warning">{warning}</Notice>
  if (webhook.enabled) return null
  const isByFailures = webhook.disableReason !== null
  return (
    <Notice
      tone={isByFailures ? 'bad' : 'note'}
      title={isByFailures ? 'Disabled after failures' : 'Switched off'}
      actions={
        mayEdit && (
          <Button onClick={() => switchOn.mutate()} loading={switchOn.isPending}>
            Switch on again
          </Button>
        )
      }
    >
      <p className={classes.since}>
        {webhook.disableReason ?? 'A person switched it off.'} Off since <Time time={webhook.disabledAt} isStop />.
      </p>
      Deliveries that waited then are held; they continue when you switch it on. Later events make no deliveries: read
      them from the{' '}
      <Anchor href="/docs/webhooks#after-an-outage-of-the-receiver" inherit underline="always">
        feed of events
      </Anchor>
      . Failed deliveries are sent again with “Replay a time range”.
    </Notice>
  )
}
