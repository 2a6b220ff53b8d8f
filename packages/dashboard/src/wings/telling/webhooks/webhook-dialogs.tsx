import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { DangerDialog } from '../../../ui/danger-dialog.tsx'
import { moment } from '../../../ui/distance.ts'
import { SecretDialog } from '../../../ui/secret-dialog.tsx'
import { useNow } from '../../../ui/time.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import { lastTryAt } from './delivery.ts'
import { countInWords } from './health.ts'
import { deliveriesPath, listPath, onePath, type Webhook, webhookPaths } from './webhook-path.ts'

interface DialogProps {
  webhook: Webhook
  onClose: () => void
}

const readAtMost = 100

/** Deliveries that wait: how many, and when the last of their tries starts at the latest. */
function useWaiting({ id: webhookId, retryDelaysMs }: Webhook) {
  const { project } = usePlace()
  const now = useNow()
  const { data } = server.useQuery('get', deliveriesPath, {
    params: { path: { projectId: project.id, webhookId }, query: { status: 'PENDING', limit: readAtMost } },
  })
  if (!data) return undefined
  const hasMore = data.page.nextCursor !== null
  const ends = data.data.map((delivery) => lastTryAt(delivery, retryDelaysMs, now).getTime())
  return { count: data.data.length, hasMore, until: new Date(Math.max(now.getTime(), ...ends)) }
}

const setEnabled = (projectId: string, webhookId: string, enabled: boolean) =>
  api.PATCH(onePath, { params: { path: { projectId, webhookId } }, body: { enabled } })

export function useSwitchOn({ id, name }: Webhook) {
  const { project } = usePlace()
  const done = useDone()
  return useMutation({
    mutationFn: () => setEnabled(project.id, id, true),
    onSuccess: () => done(`${name} is on again. Held deliveries are sent now.`, ...webhookPaths),
    onError: (error) => announce(error.message),
  })
}

export function SwitchOff({ webhook, onClose }: DialogProps) {
  const { project } = usePlace()
  const done = useDone()
  const waiting = useWaiting(webhook)
  const act = async () => {
    await setEnabled(project.id, webhook.id, false)
    await done(`${webhook.name} is off.`, ...webhookPaths)
  }
  return (
    <ConfirmDialog title={`Switch off ${webhook.name}?`} verb="Switch off" act={act} onClose={onClose}>
      It gets no more events.{' '}
      {waiting && waiting.count > 0
        ? `${countInWords(waiting.count, waiting.hasMore)} waiting now ${waiting.count === 1 ? 'is' : 'are'} held until you switch it on.`
        : 'Nothing is waiting now.'}{' '}
      Events that happen meanwhile make no deliveries, but stay in the feed of events.
    </ConfirmDialog>
  )
}

export interface Rotated {
  secret: string
  waiting: Waiting
}

/** Makes a new secret, and says what still uses the old one. */
export function RotateSecret({ webhook, done, onClose }: DialogProps & { done: (rotated: Rotated) => void }) {
  const { project } = usePlace()
  const client = useQueryClient()
  const waiting = useWaiting(webhook)
  const act = async () => {
    const { data } = await api.POST(`${onePath}/secret`, {
      params: { path: { projectId: project.id, webhookId: webhook.id } },
    })
    done({ secret: data!.data.secret!, waiting })
    await refresh(client, ...webhookPaths)
  }
  return (
    <ConfirmDialog title={`Rotate the secret of ${webhook.name}?`} verb="Rotate secret" act={act} onClose={onClose}>
      New deliveries are signed with the new secret at once. Your server refuses them until it knows the secret, and
      they are tried again.
      <OldSecretUse webhook={webhook} waiting={waiting} />
    </ConfirmDialog>
  )
}

export function RotatedSecret({ webhook, rotated, onClose }: DialogProps & { rotated: Rotated }) {
  return (
    <SecretDialog
      title={`${webhook.name} has a new secret`}
      label="Signing secret"
      secret={rotated.secret}
      onClose={onClose}
    >
      <OldSecretUse webhook={webhook} waiting={rotated.waiting} />
    </SecretDialog>
  )
}

type Waiting = ReturnType<typeof useWaiting>

function OldSecretUse({ webhook, waiting }: { webhook: Webhook; waiting: Waiting }) {
  if (!waiting) return null
  return (
    <Text size="sm" component="p">
      {waiting.count === 0
        ? 'No delivery is waiting: nothing more is signed with the old secret.'
        : webhook.enabled
          ? `${countInWords(waiting.count, waiting.hasMore)} still ${waiting.count === 1 ? 'uses' : 'use'} the old secret, until ${moment(waiting.until)} at the latest unless your server asks for a longer delay. Let your server accept both until then.`
          : `${countInWords(waiting.count, waiting.hasMore)} held still ${waiting.count === 1 ? 'uses' : 'use'} the old secret, until 15 hours after you switch the webhook on. Let your server accept both until then.`}
    </Text>
  )
}

export function DeleteWebhook({ webhook: { id: webhookId, name }, onClose }: DialogProps) {
  const { project, params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const act = async () => {
    await api.DELETE(onePath, { params: { path: { projectId: project.id, webhookId } } })
    await navigate({ to: '/$org/$project/integrations/webhooks', params })
    await refresh(client, listPath)
    announce(`${name} deleted.`)
  }
  return (
    <DangerDialog title={`Delete ${name}?`} verb="Delete webhook" typed={name} act={act} onClose={onClose}>
      It gets no more events, deliveries that wait are not sent, and its history of deliveries is gone. This cannot be
      undone.
    </DangerDialog>
  )
}
