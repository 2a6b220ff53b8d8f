import { Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, type Form } from '../../../ui/form/form.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { SettingsTabs } from '../projects/settings-tabs.tsx'
import { HostsField } from './hosts-field.tsx'
import classes from './web-settings.module.css'
import {
  bodyOf,
  consentChoices,
  inputOf,
  labels,
  path,
  pendingChoices,
  rules,
  shownFields,
  tidy,
  valuesOf,
  type WebSettings,
  type WebSettingsValues,
  wordsOf,
} from './web-settings.ts'

/** What the script does on the pages of a web project: hosts, consent, privacy, code and delays. */
export function WebSettingsPage() {
  const { project, params } = usePlace()
  const isWeb = project.type === 'WEB'
  const mayEdit = useMay('projects:write')
  const query = useQuery({
    queryKey: ['get', path, 'to edit', project.id],
    queryFn: () => read(project.id),
    enabled: isWeb,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (!isWeb) return <NoSite />
  return (
    <Page
      title="Site settings"
      description={
        <>
          How the script behaves on the pages of {project.name}, in all environments.{' '}
          <TextLink to="/$org/$project/connect" params={params} underline="always">
            Get the tag
          </TextLink>
        </>
      }
    >
      <SettingsTabs />
      {!mayEdit && <OnlyFor>You can look at these settings. Admins can change them.</OnlyFor>}
      <Loaded query={query} lines={6}>
        {(version) => (mayEdit ? <SettingsForm version={version} /> : <Shown values={valuesOf(version.content)} />)}
      </Loaded>
    </Page>
  )
}

const read = async (projectId: string): Promise<Versioned<WebSettings>> =>
  versioned(await api.GET(path, { params: { path: { projectId } } }))

function NoSite() {
  const { project, params } = usePlace()
  return (
    <Page title="Site settings">
      <EmptyState
        icon={<IconWorld size={36} />}
        title={`${project.name} has no site`}
        action={
          <ButtonLink to="/$org/$project/settings" params={params} variant="default">
            Go to project settings
          </ButtonLink>
        }
      >
        Only a project of web experiments has these settings. This project has flags.
      </EmptyState>
    </Page>
  )
}

/** The settings in words, for people who cannot change them. */
function Shown({ values }: { values: WebSettingsValues }) {
  return (
    <Section title="What the script does">
      <dl className={classes.facts}>
        {shownFields(values).map((field) => (
          <Fact key={field} label={labels[field]} words={wordsOf(field, values)} />
        ))}
      </dl>
    </Section>
  )
}

function Fact({ label, words }: { label: string; words: string }) {
  return (
    <>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm">
        {words}
      </Text>
    </>
  )
}

type SettingsFormOf = Form<WebSettingsValues>

function SettingsForm({ version }: { version: Versioned<WebSettings> }) {
  const { project } = usePlace()
  const done = useDone()
  const edited = useChangedBy('project', project.id)
  const { form, dialog } = useEditForm<WebSettingsValues, unknown>({
    object: `web-settings:${project.id}`,
    base: { content: valuesOf(version.content), etag: version.etag },
    rules,
    tidy,
    inputOf,
    read: async () => {
      const { content, etag } = await read(project.id)
      return { content: valuesOf(content), etag }
    },
    write: (values, etag) =>
      api.PUT(path, { params: { path: { projectId: project.id }, header: onlyIf(etag) }, body: bodyOf(values) }),
    done: () => done('Site settings saved. Visitors follow within two minutes.', path),
    // The name of the project is on another page.
    changed: edited?.action === 'project.update_web_settings' ? edited : undefined,
    labels: { ...labels, hosts: 'The list of hosts' },
    shown: (field, value) => wordsOf(field, { [field]: value } as WebSettingsValues),
  })
  return (
    <>
      <ApiForm
        form={form}
        verb="Save settings"
        summary="They act in all environments at once."
        failed="The settings were not saved"
      >
        <Section title="Where previews and redirects go">
          <div className={classes.fields}>
            <HostsField
              hosts={form.values.hosts}
              onChange={(hosts, input) => form.set('hosts', hosts, input)}
              errorOf={(input) => faultOf(form, input)}
              error={form.error('hosts')}
            />
          </div>
        </Section>
        <ConsentSection form={form} />
        <CodeSection form={form} />
        <TimingSection form={form} />
      </ApiForm>
      {dialog}
    </>
  )
}

const faultOf = ({ faults }: SettingsFormOf, input: string): string | undefined =>
  faults.find(({ name }) => name === input)?.message

function ConsentSection({ form }: { form: SettingsFormOf }) {
  const { values, set } = form
  return (
    <Section title="Consent and privacy">
      <Stack gap="lg" className={classes.fields ?? ''}>
        <Choices legend="Consent of visitors" name="consent" error={form.error('consent')}>
          {consentChoices.map(({ value, label, means }) => (
            <Radio
              key={value}
              name="consent"
              label={label}
              description={means}
              checked={values.consent === value}
              onChange={() => set('consent', value)}
            />
          ))}
        </Choices>
        {values.consent === 'REQUIRED' && (
          <Choices
            legend="Until the visitor answers"
            name="pending"
            description="Experiments with a redirect always wait for the answer."
            error={form.error('pending')}
          >
            {pendingChoices.map(({ value, label, means }) => (
              <Radio
                key={value}
                name="pending"
                label={label}
                description={means}
                checked={values.pending === value}
                onChange={() => set('pending', value)}
              />
            ))}
          </Choices>
        )}
        <Checkbox
          label="Privacy signals of browsers count as a refusal"
          description="Visitors with Do Not Track or Global Privacy Control see the unchanged page. Nothing about them is stored or sent."
          checked={values.honorPrivacySignals}
          onChange={({ currentTarget: { checked } }) => set('honorPrivacySignals', checked)}
        />
      </Stack>
    </Section>
  )
}

function CodeSection({ form: { values, set } }: { form: SettingsFormOf }) {
  return (
    <Section title="Code">
      <Checkbox
        className={classes.fields ?? ''}
        label="Run the JavaScript of variations"
        description="Without it, variations still change texts, images and styles. Their code stays saved and is not served."
        checked={values.codeVariations}
        onChange={({ currentTarget: { checked } }) => set('codeVariations', checked)}
      />
    </Section>
  )
}

function TimingSection({ form }: { form: SettingsFormOf }) {
  return (
    <Section title="Timing and cookie">
      <Stack gap="md" className={classes.fields ?? ''}>
        <TextInput
          {...form.field('maxDelayMs')}
          className={classes.short ?? ''}
          label="Latest start"
          description="If the script runs later than this after the page was shown, a new visitor keeps the unchanged page and is not counted. Default: 2000"
          rightSection="ms"
          inputMode="numeric"
          autoComplete="off"
        />
        <TextInput
          {...form.field('scriptMaxAgeSeconds')}
          className={classes.short ?? ''}
          label="Age of the script"
          description="How long browsers use the script before they ask for a newer one. A launch or a pause reaches them after that. Default: 60"
          rightSection="s"
          inputMode="numeric"
          autoComplete="off"
        />
        <Disclosure summary="Domain of the cookie" isOpenAtFirst={form.values.cookieDomain !== ''}>
          <TextInput
            {...form.field('cookieDomain')}
            className={classes.short ?? ''}
            label="Domain"
            description="Where the visitor id is valid. Empty: the widest domain that the browser takes. Enter one if your server sets the cookie."
            placeholder="shop.example"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Disclosure>
      </Stack>
    </Section>
  )
}
