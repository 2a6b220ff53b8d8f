import { Alert, List, Text, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { ApiForm, required, useForm } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { onlyIf, refresh, type Versioned } from '../../../versioned.ts'
import { useOrganization, useRefreshSession } from '../sessions/session.ts'
import { LeaveSection } from './leave-section.tsx'
import { NotificationSection } from './notification-section.tsx'
import { planFeatureText } from './plan.ts'
import { settingsPath, useOrganizationSettings } from './settings.ts'

/** The organization itself: what it is called, which events it wants to hear of, what its plan includes. */
export function OrganizationPage() {
  const query = useOrganizationSettings()
  const isAdministrator = useOrganization()?.administrator === true
  return (
    <Page title="Organization" description="Its name, which events reach webhooks, and what the plan includes.">
      {!isAdministrator && (
        <Alert variant="outline" icon={<IconInfoCircle aria-hidden />} title="Only to look at">
          <Text size="sm">Owners and administrators change these settings.</Text>
        </Alert>
      )}
      <Loaded query={query}>
        {(settings) => (
          <>
            <NameSection
              key={`name ${settings.etag}`}
              settings={settings}
              isFixed={!isAdministrator}
              reload={() => void query.refetch()}
            />
            <NotificationSection
              key={`notifications ${settings.etag}`}
              settings={settings}
              isFixed={!isAdministrator}
              reload={() => void query.refetch()}
            />
            <PlanSection features={settings.content.features} />
          </>
        )}
      </Loaded>
      <LeaveSection />
    </Page>
  )
}

interface NameSectionProps {
  settings: Versioned<{ name: string; shortId: number }>
  isFixed: boolean
  reload: () => void
}

function NameSection({ settings: { content, etag }, isFixed, reload }: NameSectionProps) {
  const client = useQueryClient()
  const refreshSession = useRefreshSession()
  const form = useForm({
    initial: { name: content.name },
    rules: { name: required('Enter a name.') },
    send: (body) => api.PATCH(settingsPath, { params: { header: onlyIf(etag) }, body }),
    done: async () => {
      await Promise.all([refresh(client, settingsPath), refreshSession()])
      announce('The organization has its new name.')
    },
  })
  return (
    <Section title="Name" description={`Members see it, and invitations name it. Its number is ${content.shortId}.`}>
      {isFixed ? (
        <Text>{content.name}</Text>
      ) : (
        <ApiForm form={form} verb="Rename" reload={reload}>
          <TextInput {...form.field('name')} label="Name of the organization" autoComplete="organization" maw={480} />
        </ApiForm>
      )}
    </Section>
  )
}

function PlanSection({ features }: { features: string[] }) {
  return (
    <Section title="Plan" description="What the plan includes. The operator of this service sets it.">
      {features.length === 0 ? (
        <Text size="sm">Nothing besides flags and A/B tests.</Text>
      ) : (
        <List size="sm">
          {features.map((feature) => (
            <List.Item key={feature}>{planFeatureText(feature)}</List.Item>
          ))}
        </List>
      )}
    </Section>
  )
}
