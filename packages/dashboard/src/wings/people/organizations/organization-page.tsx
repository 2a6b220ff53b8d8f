import { Alert, Code, List, Text, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { api } from '../../../api.ts'
import { useOrganization, useRefreshSession } from '../../../shell/session.ts'
import { ApiForm, required, useForm } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { featureText } from './features.ts'
import { LeaveSection } from './leave-section.tsx'
import { NotificationSection } from './notification-section.tsx'
import { settingsPath, useOrganizationSettings } from './settings.ts'

/** The settings of the organization: its name, its filter of events, its features. */
export function OrganizationPage() {
  const query = useOrganizationSettings()
  const isAdministrator = useOrganization()?.administrator === true
  return (
    <Page title="Organization" description="Name, webhook notifications and features.">
      {!isAdministrator && (
        <Alert variant="outline" icon={<IconInfoCircle aria-hidden />} title="Read-only">
          <Text size="sm">Owners and administrators can change these settings.</Text>
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
            <FeatureSection features={settings.content.features} />
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
  const done = useDone()
  const refreshSession = useRefreshSession()
  const form = useForm({
    initial: { name: content.name },
    rules: { name: required('Enter a name.') },
    send: (body) => api.PATCH(settingsPath, { params: { header: onlyIf(etag) }, body }),
    done: async () => {
      await Promise.all([done('Organization renamed.', settingsPath), refreshSession()])
    },
  })
  return (
    <Section
      title="Name"
      description={
        <>
          Members and invited people see it. Number {content.shortId} stays the same:{' '}
          <Code>Svc-Org-Id: {content.shortId}</Code> names the organization in calls of the API.
        </>
      }
    >
      {isFixed ? (
        <Text>{content.name}</Text>
      ) : (
        <ApiForm form={form} verb="Rename" reload={reload}>
          <TextInput {...form.field('name')} label="Organization name" autoComplete="organization" maw={480} />
        </ApiForm>
      )}
    </Section>
  )
}

function FeatureSection({ features }: { features: string[] }) {
  return (
    <Section title="Features" description="The operator of this service turns them on and off.">
      {features.length === 0 ? (
        <Text size="sm">Flags and A/B tests.</Text>
      ) : (
        <List size="sm">
          {features.map((feature) => (
            <List.Item key={feature}>{featureText(feature)}</List.Item>
          ))}
        </List>
      )}
    </Section>
  )
}
