import { NativeSelect, Text, VisuallyHidden } from '@mantine/core'
import type { Data } from '@svc/client'
import { IconFolders, IconMailOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api, server } from '../../../api.ts'
import { useOrganization, useSession } from '../../../shell/session.ts'
import { ApiForm, useForm } from '../../../ui/form/form.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { digests } from '../destinations/digests.ts'
import { EventChoices } from '../webhooks/webhook-fields.tsx'
import { choicesOf, eventsOf, type Line, lineOf, problemIn, shownWhat, subscriptionsOf } from './choice.ts'
import classes from './notifications-page.module.css'

const path = '/api/dashboard/me/subscriptions'
type Subscriptions = Data<typeof path, 'get'>

/** What a person hears by mail. Only this person can read and change it. */
export function NotificationsPage() {
  const { user, organizations } = useSession()
  const organization = useOrganization()
  return (
    <Page
      title="Notifications"
      description={`Your mail notifications, at ${user.email}. Only you can see what you choose.`}
    >
      {organization ? (
        <Section
          title={`Mail about ${organization.name}`}
          description={[
            'Safety events come at once. All other events wait until the quiet hours of the organization are over.',
            organizations.length > 1 ? 'Each of your organizations has its own choices: switch to it to see them.' : '',
          ].join(' ')}
        >
          <Choices key={organization.id} />
        </Section>
      ) : (
        <EmptyState icon={<IconFolders />} title="You belong to no organization">
          Ask for an invitation. You choose mail notifications for each project.
        </EmptyState>
      )}
    </Page>
  )
}

function Choices() {
  const query = server.useQuery('get', path)
  return (
    <Loaded query={{ ...query, data: query.data?.data }}>
      {(subscriptions) => {
        if (!subscriptions.sendsMail)
          return (
            <EmptyState icon={<IconMailOff />} title="This service sends no mail">
              The operator can set <code>SVC_SMTP_URL</code>. Then you can choose notifications here.
            </EmptyState>
          )
        if (subscriptions.subscriptions.length === 0)
          return (
            <EmptyState icon={<IconFolders />} title="No projects yet">
              Each project that you see has a line here.
            </EmptyState>
          )
        return <ChoicesForm subscriptions={subscriptions} />
      }}
    </Loaded>
  )
}

const valuesOf = ({ subscriptions }: Pick<Subscriptions, 'subscriptions'>) => ({
  subscriptions: subscriptions.map(lineOf),
})

function ChoicesForm({ subscriptions }: { subscriptions: Subscriptions }) {
  const client = useQueryClient()
  const { byRole } = subscriptions
  const form = useForm({
    initial: valuesOf(subscriptions),
    rules: { subscriptions: problemIn },
    send: ({ subscriptions: lines }) => api.PUT(path, { body: { subscriptions: subscriptionsOf(lines) } }),
    done: ({ data }) => {
      client.setQueryData(server.queryOptions('get', path).queryKey, data!)
      form.reset(valuesOf(data!.data))
      announce('Notifications saved.')
    },
  })
  const { subscriptions: lines } = form.values
  const change = (changed: Line) =>
    form.set(
      'subscriptions',
      lines.map((line) => (line.projectId === changed.projectId ? changed : line)),
    )
  return (
    <ApiForm form={form} verb="Save notifications">
      {lines.map((line) => (
        <LineFields
          key={line.projectId}
          line={line}
          byRole={byRole}
          change={change}
          problem={form.error('subscriptions')}
        />
      ))}
    </ApiForm>
  )
}

interface LineFieldsProps {
  line: Line
  byRole: Subscriptions['byRole']
  change: (line: Line) => void
  /** What is wrong with one of the lines. */
  problem: string | undefined
}

function LineFields({ line, byRole, change, problem }: LineFieldsProps) {
  const { name, what, events, digest, disableReason } = line
  return (
    <div className={classes.line}>
      <div className={classes.choices}>
        <NativeSelect
          label={name}
          value={shownWhat(what, byRole)}
          data={choicesOf(byRole)}
          onChange={({ currentTarget }) => change({ ...line, what: currentTarget.value as Line['what'] })}
        />
        {what === 'CHOSEN' && (
          <NativeSelect
            label={
              <>
                When<VisuallyHidden> in {name}</VisuallyHidden>
              </>
            }
            value={digest}
            data={[...digests]}
            onChange={({ currentTarget }) => change({ ...line, digest: currentTarget.value as Line['digest'] })}
          />
        )}
      </div>
      {disableReason !== null && (
        <Notice tone="warning" title="This mail was stopped">
          <Text size="sm">{disableReason} Save to start it again.</Text>
        </Notice>
      )}
      {what === 'CHOSEN' && (
        <Disclosure summary={eventsOf(line)}>
          <EventChoices
            form={{
              values: { events },
              set: (_name, chosen) => change({ ...line, events: chosen }),
              error: () => (events.length === 0 ? problem : undefined),
            }}
            isForReader
          />
        </Disclosure>
      )}
    </div>
  )
}
