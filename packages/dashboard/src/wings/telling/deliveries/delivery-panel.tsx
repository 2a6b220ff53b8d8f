import { Code, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { answerOf, canRetry, curlOf, type Delivery, deliveryState, headersOf, subjectOf, triesOf } from './delivery.ts'
import { Retry } from './delivery-list.tsx'
import classes from './delivery-panel.module.css'
import { testEvent } from './events.ts'
import type { Sender } from './sender.ts'

const readAgainMs = 5_000

interface DeliveryPanelProps {
  sender: Sender
  deliveryId: string
  mayEdit: boolean
  /** What was sent, where that is not a webhook's request. */
  told?: ReactNode
}

/** One delivery beside the list: its tries, what was sent and what came back. */
export function DeliveryPanel({ sender, deliveryId, mayEdit, told }: DeliveryPanelProps) {
  const { project } = usePlace()
  const navigate = useNavigate()
  const query = server.useQuery(
    'get',
    sender.kind.paths.delivery,
    { params: { path: sender.kind.deliveryAt(project.id, sender.id, deliveryId) } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'PENDING' ? readAgainMs : false) },
  )
  const delivery = query.data?.data
  const close = () =>
    void navigate({
      to: '.',
      search: (({ delivery: _closed, ...others }: { delivery?: string }) => others) as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <SidePanel
      title={delivery?.eventType ?? 'Delivery'}
      description={delivery && subjectOf(delivery.payload)}
      onClose={close}
      actions={
        mayEdit &&
        delivery &&
        canRetry(delivery) &&
        delivery.eventType !== testEvent && <Retry sender={sender} delivery={delivery} />
      }
    >
      <Loaded query={query} lines={6}>
        {({ data }) => <Content sender={sender} delivery={data} told={told} />}
      </Loaded>
    </SidePanel>
  )
}

const stateWords = { made: 'made', next: 'next', 'to come': 'if needed', 'not needed': 'not made' }

function Content({ sender, delivery, told }: { sender: Sender; delivery: Delivery; told: ReactNode }) {
  const now = useNow()
  const { tone, words } = deliveryState(delivery, !sender.enabled, now)
  return (
    <div className={classes.parts}>
      <div className={classes.line}>
        <StatusBadge tone={tone}>{words}</StatusBadge>
        <span>
          Created <Time time={delivery.createdAt} isStop />
        </span>
        {delivery.lastAttemptAt !== null && (
          <span>
            Last try <Time time={delivery.lastAttemptAt} isStop />
          </span>
        )}
        <CopyButton text={delivery.deliveryId} label="Copy delivery id" size="xs" />
      </div>

      {sender.retryDelaysMs && <Tries retryDelaysMs={sender.retryDelaysMs} delivery={delivery} />}

      <Part title="Answer">
        <Text size="sm" className={classes.wrapped ?? ''}>
          {answerOf(delivery) ?? 'There is none yet.'}
        </Text>
        {delivery.responseBody !== null && delivery.responseBody !== '' && (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <section className={classes.answer} tabIndex={0} aria-label="Body of the answer">
              <pre>{delivery.responseBody}</pre>
            </section>
            <Text size="xs" c="dimmed">
              The first 1 KB at most, as text.
            </Text>
          </>
        )}
      </Part>

      {sender.url !== undefined ? (
        <WebhookRequest url={sender.url} delivery={delivery} />
      ) : (
        <Part title="What it contains">
          {told}
          <JsonView label="Event" value={delivery.payload} />
        </Part>
      )}
    </div>
  )
}

function Tries({ retryDelaysMs, delivery }: { retryDelaysMs: readonly number[]; delivery: Delivery }) {
  return (
    <Part title="Tries">
      <ol className={classes.tries}>
        {triesOf(delivery, retryDelaysMs).map(({ place, words, state }) => (
          <li key={place} className={classes.try} data-state={state}>
            <span>{words}</span>
            <span className={classes.note}>{stateWords[state]}</span>
          </li>
        ))}
      </ol>
      <Text size="xs" c="dimmed">
        Each try waits this long after the end of the previous one. Only the last answer is kept.
      </Text>
    </Part>
  )
}

function WebhookRequest({ url, delivery }: { url: string; delivery: Delivery }) {
  return (
    <Part title="Request">
      <Text size="sm" className={classes.wrapped ?? ''}>
        <Code>POST {url}</Code>
      </Text>
      <dl className={classes.headers}>
        {headersOf(delivery).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <JsonView label="Body" value={delivery.payload} />
      <Disclosure summary="Send it yourself with curl">
        <Text size="sm" mb="xs">
          Put the secret into <Code>WEBHOOK_SECRET</Code>. The command signs the request as the service does.
        </Text>
        <CodeSnippet label="Send this delivery" snippets={[{ language: 'curl', code: curlOf(url, delivery) }]} />
      </Disclosure>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.part} aria-labelledby={id}>
      <Title order={3} id={id}>
        {title}
      </Title>
      {children}
    </section>
  )
}
