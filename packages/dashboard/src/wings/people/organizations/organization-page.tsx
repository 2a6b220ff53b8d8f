import { Code, List, Text, TextInput } from '@mantine/core'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { useOrganization, useRefreshSession } from '../../../shell/session.ts'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { featureText } from './features.ts'
import { LeaveSection } from './leave-section.tsx'
import { NotificationSection } from './notification-section.tsx'
import { QuietSection } from './quiet-section.tsx'
import { readSettings, settingsPath, useOrganizationSettings } from './settings.ts'

/** The settings of the organization: its name, its filter of events, its features. */
export function OrganizationPage() {
  const query = useOrganizationSettings()
  const isAdministrator = useOrganization()?.administrator === true
  return (
    <Page title="Organization" description="Name, features, and what webhooks and destinations receive.">
      {!isAdministrator && <OnlyFor>Owners and administrators can change these settings.</OnlyFor>}
      <Loaded query={query}>
        {(settings) => (
          <>
            <NameSection key={`name ${settings.content.id}`} settings={settings} isFixed={!isAdministrator} />
            <FeatureSection features={settings.content.features} />
            <NotificationSection
              key={`notifications ${settings.content.id}`}
              settings={settings}
              isFixed={!isAdministrator}
            />
            <QuietSection key={`quiet ${settings.content.id}`} settings={settings} isFixed={!isAdministrator} />
            <LeaveSection />
          </>
        )}
      </Loaded>
      {query.isError && query.data === undefined && <LeaveSection />}
    </Page>
  )
}

interface NameSectionProps {
  settings: Versioned<{ id: string; name: string; shortId: number }>
  isFixed: boolean
}

const nameOf = ({ content: { name }, etag }: NameSectionProps['settings']) => ({ content: { name }, etag })

function NameSection({ settings, isFixed }: NameSectionProps) {
  const { content } = settings
  const done = useDone()
  const refreshSession = useRefreshSession()
  const changed = useChangedBy('organization', content.id)
  const { form, dialog } = useEditForm({
    object: `organization:${content.id}`,
    base: nameOf(settings),
    rules: { name: required('Enter a name.') },
    read: async () => nameOf(await readSettings()),
    write: (body, etag) => api.PATCH(settingsPath, { params: { header: onlyIf(etag) }, body }),
    done: async () => {
      await Promise.all([done('Organization renamed.', settingsPath), refreshSession()])
    },
    changed,
    labels: { name: 'The name' },
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
        <ApiForm form={form} verb="Rename">
          <TextInput {...form.field('name')} label="Organization name" autoComplete="organization" maw={480} />
        </ApiForm>
      )}
      {dialog}
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
