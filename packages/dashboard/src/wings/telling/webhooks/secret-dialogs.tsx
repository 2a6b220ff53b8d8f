import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { moment } from '../../../ui/time/dates.ts'
import { refresh } from '../../../versioned.ts'
import { countInWords } from '../deliveries/health.ts'
import { pathsOf } from '../deliveries/sender.ts'
import { useWaiting, type Waiting } from '../deliveries/waiting.ts'
import { onePath, type Webhook, webhookSender, webhooks } from './webhook-path.ts'

interface DialogProps {
  webhook: Webhook
  onClose: () => void
}

export interface Rotated {
  secret: string
  waiting: Waiting
}

/** Makes a new secret, and says what still uses the old one. */
export function RotateSecret({ webhook, done, onClose }: DialogProps & { done: (rotated: Rotated) => void }) {
  const { project } = usePlace()
  const client = useQueryClient()
  const waiting = useWaiting(webhookSender(webhook))
  const act = async () => {
    const { data } = await api.POST(`${onePath}/secret`, {
      params: { path: { projectId: project.id, webhookId: webhook.id } },
    })
    done({ secret: data!.data.secret!, waiting })
    await refresh(client, ...pathsOf(webhooks))
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
