import { Code, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { withArticle } from '../../../ui/words/lists.ts'
import { releaseEventOf } from '../deliveries/events.ts'
import { healthOf } from '../deliveries/health.ts'
import { SendersPage } from '../deliveries/senders-page.tsx'
import { type CreatedWebhook, CreateWebhook } from './create-webhook.tsx'
import { type Webhook, webhooks } from './webhook-path.ts'

/** The webhooks of the project. */
export function WebhooksPage() {
  const { project, params } = usePlace()
  const { one } = useSubject()
  const navigate = useNavigate()
  const [created, setCreated] = useState<CreatedWebhook>()
  const open = ({ id }: { id: string }) =>
    void navigate({ to: webhooks.pages.one, params: { ...params, ...webhooks.pages.params(id) } })
  return (
    <>
      <SendersPage<Webhook>
        kind={webhooks}
        description="Each webhook sends signed events of this project to one of your servers."
        onlyFor="You can look at webhooks and deliveries. Admins can change them and send again."
        empty={`A webhook tells your server when something changes here: ${withArticle(one)} is published, a schedule fails, a token expires. It sends each event at least once and signs it.`}
        command={`svc webhook create --project ${project.key} --name "Deploy log" --endpoint https://hooks.example.com/svc --event ${releaseEventOf(project.type)}`}
        about={({ url }) => <Code>{url}</Code>}
        filter={{ in: 'address', textOf: ({ url }) => url }}
        state={healthOf}
        panel={(name, close) =>
          name === 'create' && (
            <CreateWebhook
              onClose={close}
              onCreated={(webhook) => {
                close()
                setCreated(webhook)
              }}
            />
          )
        }
      />
      {created && (
        <SecretDialog
          title={`${created.name} is ready`}
          label="Signing secret"
          secret={created.secret!}
          onClose={() => open(created)}
        >
          <Text size="sm">
            Your server needs it to check that a request comes from here. Next, send a test ping from the page of the
            webhook.
          </Text>
        </SecretDialog>
      )}
    </>
  )
}
