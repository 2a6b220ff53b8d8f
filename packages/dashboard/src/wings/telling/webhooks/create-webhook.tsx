import type { Data } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { refresh } from '../../../versioned.ts'
import { type EventName, startingEventsOf } from '../deliveries/events.ts'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'
import { listPath } from './webhook-path.ts'

export type CreatedWebhook = Data<typeof listPath, 'post'>

interface CreateWebhookProps {
  onClose: () => void
  onCreated: (webhook: CreatedWebhook) => void
}

export function CreateWebhook({ onClose, onCreated }: CreateWebhookProps) {
  return (
    <Dialog onClose={onClose} title="Create a webhook" size="lg">
      <CreateForm onCreated={onCreated} />
    </Dialog>
  )
}

export const rules = {
  name: required('Enter a name.'),
  url: required('Enter an address.'),
  events: (events: string[]) => (events.length === 0 ? 'Choose at least one event.' : undefined),
}

function CreateForm({ onCreated }: Pick<CreateWebhookProps, 'onCreated'>) {
  const { project } = usePlace()
  const client = useQueryClient()
  const form = useNewForm({
    object: `new-webhook:${project.id}`,
    initial: { name: '', url: '', events: startingEventsOf(project.type) } as WebhookValues,
    rules,
    send: async (body) => {
      const { data } = await api.POST(listPath, {
        params: { path: { projectId: project.id } },
        body: { ...body, events: body.events as EventName[] },
      })
      return data!.data
    },
    done: async (webhook) => {
      await refresh(client, listPath)
      onCreated(webhook)
    },
  })
  return (
    <ApiForm form={form} verb="Create webhook">
      <WebhookFields form={form} />
    </ApiForm>
  )
}
