import { Anchor, Button, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { LastChange, useIsDeleted } from '../../../shell/deleted.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import type { Status } from '../../../ui/status/status-words.ts'
import { Time } from '../../../ui/time/time.tsx'
import { capital } from '../../../ui/words/lists.ts'
import { filterInShort } from '../../people/organizations/filter-words.ts'
import { useOrganizationSettings } from '../../people/organizations/settings.ts'
import { answerOf } from './delivery.ts'
import { DeliveryList } from './delivery-list.tsx'
import type { DeliverySearch } from './delivery-search.ts'
import { asksFirst, warningOf } from './health.ts'
import type { Sender, SenderKind } from './sender.ts'
import { DeleteSender, NotSwitchedOn, SwitchOff, useSwitchOn } from './sender-dialogs.tsx'
import classes from './sender-page.module.css'
import { TestPing } from './test-ping.tsx'

const DeliveryPanel = lazy(async () => ({ default: (await import('./delivery-panel.tsx')).DeliveryPanel }))

interface SenderPageProps {
  sender: Sender
  state: Status
  /** For people who may not edit. */
  onlyFor: string
  /** Buttons after *Switch off*, *Edit* last. */
  actions: ReactNode
  /** Beside the state. */
  facts: ReactNode
  /** Under the facts. */
  notice?: ReactNode
  /** What one delivery says, where that is not a webhook's request. */
  told?: (deliveryId: string) => ReactNode
  /** Under the deliveries. */
  children?: ReactNode
}

/** Whether this person can change it. After a deletion, no one can. */
export function useMayEdit({ scopes }: SenderKind): boolean {
  const isDeleted = useIsDeleted()
  return useMay(scopes.write) && !isDeleted
}

/** One webhook or destination: whether it works, what to do if not, and every delivery. */
export function SenderPage(props: SenderPageProps) {
  const { sender, state, onlyFor, actions, facts, notice, told, children } = props
  const { kind, id, name, enabled } = sender
  const { params } = usePlace()
  const mayEdit = useMayEdit(kind)
  const isDeleted = useIsDeleted()
  const search: DeliverySearch = useSearch({ strict: false })
  const [asking, setAsking] = useState<'off' | 'delete'>()
  const close = () => setAsking(undefined)
  return (
    <Page
      title={name}
      part={capital(kind.noun)}
      description={
        <TextLink to={kind.pages.all} params={params}>
          All {kind.noun}s
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
            {actions}
          </>
        )
      }
    >
      {!mayEdit && !isDeleted && <OnlyFor>{onlyFor}</OnlyFor>}
      <LastChange kind={kind.noun} id={id} />
      <div className={classes.facts}>
        <StatusBadge tone={state.tone}>{state.words}</StatusBadge>
        {facts}
        <OrganizationFilter />
      </div>
      {notice}
      <Health sender={sender} mayEdit={mayEdit} />
      {mayEdit && <TestPing sender={sender} />}
      <DeliveryList sender={sender} search={search} mayEdit={mayEdit} />
      {children}
      <Suspense fallback={null}>
        {search.delivery !== undefined && (
          <DeliveryPanel
            sender={sender}
            deliveryId={search.delivery}
            mayEdit={mayEdit}
            told={told?.(search.delivery)}
          />
        )}
      </Suspense>
      {asking === 'off' && <SwitchOff sender={sender} onClose={close} />}
      {asking === 'delete' && <DeleteSender sender={sender} onClose={close} />}
    </Page>
  )
}

/** What the organization keeps from all its webhooks and destinations. Not everyone can read it. */
function OrganizationFilter() {
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

function Health({ sender, mayEdit }: { sender: Sender; mayEdit: boolean }) {
  const { kind, enabled } = sender
  const warning = warningOf(sender, kind.noun)
  if (warning) return <Notice tone="warning">{warning}</Notice>
  return enabled ? null : <Off sender={sender} mayEdit={mayEdit} />
}

function Off({ sender, mayEdit }: { sender: Sender; mayEdit: boolean }) {
  const switchOn = useSwitchOn(sender)
  const { kind, disableReason, disabledAt } = sender
  const isByFailures = disableReason !== null
  const failed = switchOn.error instanceof NotSwitchedOn ? switchOn.error.ping : undefined
  return (
    <>
      <Notice
        tone={isByFailures ? 'bad' : 'note'}
        title={isByFailures ? 'Disabled after failures' : 'Switched off'}
        actions={
          mayEdit && (
            <Button onClick={() => switchOn.mutate({ isTested: true })} loading={switchOn.isPending}>
              Switch on again
            </Button>
          )
        }
      >
        <p className={classes.since}>
          {disableReason ?? 'A person switched it off.'} Off since <Time time={disabledAt} isStop />.
        </p>
        Deliveries that waited then are held; they continue when you switch it on.{' '}
        {asksFirst(sender) && `A ${kind.noun === 'webhook' ? 'test ping' : 'test message'} goes out first. `}
        {kind.whileOff}{' '}
        <Anchor href="/docs/webhooks#after-an-outage-of-the-receiver" inherit underline="always">
          After an outage
        </Anchor>
        . Failed deliveries are sent again with “Replay a time range”.
      </Notice>
      {failed ? (
        <Notice
          tone="bad"
          says="at once"
          title="Still off: the test has failed"
          actions={
            <Button variant="default" onClick={() => switchOn.mutate({ isTested: false })} loading={switchOn.isPending}>
              Switch on anyway
            </Button>
          }
        >
          The receiver answered: {answerOf(failed) ?? 'nothing'}. What is held stays held. Repair the receiver, then
          switch the {kind.noun} on again.
        </Notice>
      ) : (
        <FailureNotice error={switchOn.error} title="Not switched on" />
      )}
    </>
  )
}
