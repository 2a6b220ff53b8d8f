import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import type { EventName } from '../deliveries/events.ts'
import { pathsOf } from '../deliveries/sender.ts'
import { rules } from './create-webhook.tsx'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'
import { onePath, type Webhook, webhooks } from './webhook-path.ts'

interface EditWebhookProps {
  webhookId: string
  onClose: () => void
}

const valuesOf = ({ content: { name, url, events }, etag }: Versioned<Webhook>): Versioned<WebhookValues> => ({
  content: { name, url, events },
  etag,
})

/** Loads the webhook with its version, so that a save cannot overwrite changes made meanwhile. */
export function EditWebhook({ webhookId, onClose }: EditWebhookProps) {
  const { project } = usePlace()
  const path = { projectId: project.id, webhookId }
  const read = async (signal?: AbortSignal) =>
    valuesOf(versioned(await api.GET(onePath, { params: { path }, ...(signal && { signal }) })))
  const query = useQuery({
    queryKey: ['edit', onePath, webhookId],
    queryFn: ({ signal }) => read(signal),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog onClose={onClose} title={`Edit ${query.data?.content.name ?? 'the webhook'}`} size="lg">
      <Loaded query={query}>
        {(base) => <EditForm key={webhookId} path={path} base={base} read={read} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

interface EditFormProps {
  path: { projectId: string; webhookId: string }
  base: Versioned<WebhookValues>
  read: () => Promise<Versioned<WebhookValues>>
  onClose: () => void
}

function EditForm({ path, base, read, onClose }: EditFormProps) {
  const done = useDone()
  const changed = useChangedBy('webhook', path.webhookId)
  const { form, dialog } = useEditForm<WebhookValues, unknown>({
    object: `webhook:${path.webhookId}`,
    base,
    rules,
    read,
    write: ({ events, ...body }, etag) =>
      api.PATCH(onePath, {
        params: { path, header: onlyIf(etag) },
        body: { ...body, events: events as EventName[] },
      }),
    done: async (_answer, { name }) => {
      await done(`${name} saved.`, ...pathsOf(webhooks))
      onClose()
    },
    changed,
    labels: { name: 'The name', url: 'The address', events: 'The events' },
  })
  return (
    <>
      <ApiForm form={form} verb="Save webhook">
        <WebhookFields form={form} />
      </ApiForm>
      {dialog}
    </>
  )
}
