import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ApiForm, useForm } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { rules } from './create-webhook.tsx'
import type { EventName } from './events.ts'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'
import { onePath, type Webhook, webhookPaths } from './webhook-path.ts'

interface EditWebhookProps {
  webhookId: string
  onClose: () => void
}

/** Loads the webhook with its version, so that a save cannot overwrite changes made meanwhile. */
export function EditWebhook({ webhookId, onClose }: EditWebhookProps) {
  const { project } = usePlace()
  const query = useQuery({
    queryKey: ['edit', onePath, webhookId],
    queryFn: async ({ signal }) =>
      versioned(await api.GET(onePath, { params: { path: { projectId: project.id, webhookId } }, signal })),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog onClose={onClose} title={`Edit ${query.data?.content.name ?? 'the webhook'}`} size="lg">
      <Loaded query={query}>
        {(webhook) => (
          <EditForm key={webhook.etag} webhook={webhook} onClose={onClose} reload={() => void query.refetch()} />
        )}
      </Loaded>
    </Dialog>
  )
}

interface EditFormProps {
  webhook: Versioned<Webhook>
  onClose: () => void
  reload: () => void
}

function EditForm({ webhook: { content, etag }, onClose, reload }: EditFormProps) {
  const { project } = usePlace()
  const done = useDone()
  const form = useForm({
    initial: { name: content.name, url: content.url, events: content.events } as WebhookValues,
    rules,
    send: ({ name, url, events }) =>
      api.PATCH(onePath, {
        params: { path: { projectId: project.id, webhookId: content.id }, header: onlyIf(etag) },
        body: { name, url, events: events as EventName[] },
      }),
    done: async (_answer, { name }) => {
      await done(`${name} saved.`, ...webhookPaths)
      onClose()
    },
  })
  return (
    <ApiForm form={form} verb="Save" reload={reload}>
      <WebhookFields form={form} chosenBefore={content.events} />
    </ApiForm>
  )
}
