import { Button, Code, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useKeys } from '../../../shell/keys.ts'
import { useMay } from '../../../shell/session.ts'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { eventsInWords } from '../deliveries/events.ts'
import { healthOf } from '../deliveries/health.ts'
import { ReadSender } from '../deliveries/read-sender.tsx'
import classes from '../deliveries/sender-page.module.css'
import { SenderPage, useMayEdit } from '../deliveries/sender-page.tsx'
import { usePanel } from '../deliveries/use-panel.ts'
import { ReceiverCode } from './receiver-code.tsx'
import { type Rotated, RotatedSecret, RotateSecret } from './secret-dialogs.tsx'
import { type Webhook, webhookSender, webhooks } from './webhook-path.ts'

const EditWebhook = lazy(async () => ({ default: (await import('./edit-webhook.tsx')).EditWebhook }))

export function WebhookPage() {
  const { webhook } = useParams({ from: '/inside/$org/$project/integrations/webhooks/$webhook' })
  return (
    <ReadSender<Webhook> kind={webhooks} wanted={webhook}>
      {(webhook) => <Content webhook={webhook} />}
    </ReadSender>
  )
}

function Content({ webhook }: { webhook: Webhook }) {
  const mayEdit = useMayEdit(webhooks)
  const mayWrite = useMay(webhooks.scopes.write)
  const [panel, open, close] = usePanel()
  const [isRotating, setIsRotating] = useState(false)
  const [rotated, setRotated] = useState<Rotated>()
  useKeys(mayEdit ? { e: { label: 'Edit the webhook', act: () => open('edit') } } : {})
  return (
    <SenderPage
      sender={webhookSender(webhook)}
      state={healthOf(webhook)}
      onlyFor="You can look at webhooks and deliveries. Admins can change them and send again."
      actions={
        <>
          <Button variant="default" onClick={() => setIsRotating(true)}>
            Rotate secret…
          </Button>
          <Button variant="default" onClick={() => open('edit')}>
            Edit
          </Button>
        </>
      }
      facts={
        <>
          <span className={classes.address}>
            <Code>{webhook.url}</Code>
            <CopyButton text={webhook.url} label="Copy" what="Address" size="xs" />
          </span>
          <Text size="sm" c="dimmed">
            Events: {eventsInWords(webhook.events)}
          </Text>
        </>
      }
    >
      <Section
        title="Receive and verify"
        description="Your server must check the signature of each request. Start from one of these."
      >
        <ReceiverCode />
      </Section>
      <Suspense fallback={null}>
        {mayWrite && panel === 'edit' && <EditWebhook webhookId={webhook.id} onClose={close} />}
      </Suspense>
      {isRotating && <RotateSecret webhook={webhook} done={setRotated} onClose={() => setIsRotating(false)} />}
      {rotated && <RotatedSecret webhook={webhook} rotated={rotated} onClose={() => setRotated(undefined)} />}
    </SenderPage>
  )
}
