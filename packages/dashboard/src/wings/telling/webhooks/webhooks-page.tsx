import { Button, Code, Text } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { server } from '../../../api.ts'
import { useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { Page } from '../../../ui/page.tsx'
import { SecretDialog } from '../../../ui/secret-dialog.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { eventsInWords } from '../deliveries/events.ts'
import { healthOf } from '../deliveries/health.ts'
import { type CreatedWebhook, CreateWebhook } from './create-webhook.tsx'
import { listPath, type Webhook } from './webhook-path.ts'

const description = 'Each webhook sends signed events of this project to one of your servers.'

/** The webhooks of the project. */
export function WebhooksPage() {
  return useMay('webhooks:read') ? (
    <Webhooks />
  ) : (
    <Page title="Webhooks" description={description}>
      <OnlyFor>
        Your role does not include reading webhooks. The permission that opens this page is “webhooks:read”.
      </OnlyFor>
    </Page>
  )
}

function Webhooks() {
  const { project, params } = usePlace()
  const mayEdit = useMay('webhooks:write')
  const navigate = useNavigate()
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedWebhook>()
  const query = server.useInfiniteQuery(
    'get',
    listPath,
    { params: { path: { projectId: project.id }, query: { limit: 100 } } },
    { initialPageParam: null, getNextPageParam: ({ page }) => page.nextCursor },
  )
  const isEmpty = query.data?.pages[0]?.data.length === 0
  useKeys(mayEdit ? { c: { label: 'Create a webhook', act: () => setIsCreating(true) } } : {})
  const create = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create webhook
    </Button>
  )
  const open = ({ id }: { id: string }) =>
    void navigate({ to: '/$org/$project/integrations/webhooks/$webhook', params: { ...params, webhook: id } })
  return (
    <Page title="Webhooks" description={description} actions={isEmpty === false && create}>
      {!mayEdit && <OnlyFor>You can look at webhooks and deliveries. Admins can change them and send again.</OnlyFor>}
      <Loaded query={query} like="table">
        {({ pages }) =>
          isEmpty ? (
            <EmptyState icon={<IconWebhook size={36} />} title="No webhooks yet" action={create}>
              A webhook tells your server when something changes here: a flag is published, a schedule fails, a token
              expires. It sends each event at least once and signs it.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Webhooks"
                rows={pages.flatMap(({ data }) => data)}
                keyOf={({ id }) => id}
                columns={columns(params)}
              />
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
      {isCreating && (
        <CreateWebhook
          onClose={() => setIsCreating(false)}
          onCreated={(webhook) => {
            setIsCreating(false)
            setCreated(webhook)
          }}
        />
      )}
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
    </Page>
  )
}

const columns = (params: { org: string; project: string }): Column<Webhook>[] => [
  {
    title: 'Name',
    cell: ({ id, name, url }) => (
      <div>
        <TextLink to="/$org/$project/integrations/webhooks/$webhook" params={{ ...params, webhook: id }}>
          {name}
        </TextLink>
        <div>
          <Code>{url}</Code>
        </div>
      </div>
    ),
  },
  {
    title: 'Health',
    cell: (webhook) => {
      const { tone, words } = healthOf(webhook)
      return <StatusBadge tone={tone}>{words}</StatusBadge>
    },
  },
  { title: 'Events', cell: ({ events }) => eventsInWords(events) },
  { title: 'Created', cell: ({ createdAt }) => <Time time={createdAt} /> },
]
