import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useIsDeleted } from '../../../shell/deleted.tsx'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CopyField } from '../../../ui/code/copy-field.tsx'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { baseUrlOf } from '../connect/snippets.ts'
import { scriptOf } from '../connect/tag-snippets.ts'
import classes from './environments-page.module.css'
import { IngestKeys } from './ingest-keys.tsx'
import { SdkKeys } from './sdk-keys.tsx'

const path = '/api/v1/projects/{projectId}/environments/{envId}'
const read = ['/api/v1/projects/{projectId}/environments', '/api/v1/projects/{projectId}/index', path]

export function EnvironmentOverview({ environment }: { environment: Environment }) {
  const { sdkKey, dataFile, builtIn } = environment
  const isWeb = usePlace().project.type === 'WEB'
  const mayEdit = useMay('projects:write')
  const isDeleted = useIsDeleted()
  return (
    <>
      {mayEdit ? (
        <Settings environment={environment} />
      ) : (
        <OnlyFor>You can look at environments. Admins can change them.</OnlyFor>
      )}
      <Section title={isWeb ? 'What pages and SDKs need' : 'What SDKs need'}>
        <Stack gap="sm">
          <CopyField
            label="SDK key"
            value={sdkKey}
            description={`Public. ${isWeb ? 'Pages and SDKs' : 'SDKs'} use it to load this environment. If it has two, this is the newest.`}
          />
          {isWeb && (
            <CopyField
              label="Script"
              value={scriptOf({ baseUrl: baseUrlOf(dataFile.url), sdkKey })}
              description="What pages load. Anyone can read it."
            />
          )}
          <CopyField label="Data file" value={dataFile.url} description="What SDKs load. Anyone can read it." />
          <Text size="sm" c="dimmed">
            {dataFile.publishedAt === null ? (
              'Nothing published yet.'
            ) : (
              <>
                Revision {dataFile.revision}, published <Time time={dataFile.publishedAt} />.
              </>
            )}
          </Text>
        </Stack>
      </Section>
      <SdkKeys environment={environment} mayEdit={mayEdit && !isDeleted} />
      <IngestKeys environment={environment} mayEdit={mayEdit && !isDeleted} />
      {mayEdit && !builtIn && !isDeleted && <DeleteSection environment={environment} />}
    </>
  )
}

/** Reads the version that is edited, so that a save cannot overwrite changes made meanwhile. */
function Settings({ environment }: { environment: Environment }) {
  const { project } = usePlace()
  const params = { path: { projectId: project.id, envId: environment.id } }
  const current = async () => versioned(await api.GET(path, { params }))
  const query = useQuery({
    queryKey: ['get', path, 'to edit', environment.id],
    queryFn: current,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Section title="Settings">
      <Loaded query={query}>
        {(version) => <SettingsForm key={version.content.id} version={version} current={current} />}
      </Loaded>
    </Section>
  )
}

interface SettingsFormProps {
  version: Versioned<Environment>
  current: () => Promise<Versioned<Environment>>
}

const valuesOf = ({ content: { name, color, protected: isProtected, position }, etag }: Versioned<Environment>) => ({
  content: { name, color, protected: isProtected, position: String(position) },
  etag,
})

function SettingsForm({ version, current }: SettingsFormProps) {
  const { content } = version
  const { project, environments } = usePlace()
  const done = useDone()
  const changed = useChangedBy('environment', content.id)
  const { form, dialog } = useEditForm({
    object: `environment:${content.id}`,
    base: valuesOf(version),
    rules: { name: required('Enter a name.') },
    read: async () => valuesOf(await current()),
    write: ({ position, ...body }, etag) =>
      api.PATCH(path, {
        params: { path: { projectId: project.id, envId: content.id }, header: onlyIf(etag) },
        body: { ...body, position: Number(position) },
      }),
    done: (_answer, { name }) => done(`${name} saved.`, ...read),
    changed,
    labels: { name: 'The name', color: 'The color', protected: 'The protection', position: 'The place' },
    shown: (field, value) => {
      if (field === 'protected') return value === true ? 'Protected' : 'Not protected'
      return field === 'position' ? placeWords(Number(value)) : undefined
    },
  })
  const places = environments.map((_each, place) => ({ value: String(place), label: placeWords(place) }))
  return (
    <>
      <ApiForm form={form} verb="Save environment">
        <Stack gap="md" className={classes.fields ?? ''}>
          <TextInput {...form.field('name')} label="Name" autoComplete="off" />
          <TextInput {...form.field('color')} label="Color" type="color" description="Marks it in lists and tabs." />
          <NativeSelect
            {...form.field('position')}
            label="Place"
            description="Every page lists environments in this order."
            data={places}
          />
          <Checkbox
            checked={form.values.protected}
            onChange={({ currentTarget: { checked } }) => form.set('protected', checked)}
            label="Protected"
            description="The dashboard asks for a confirmation before each switch."
          />
        </Stack>
      </ApiForm>
      {dialog}
    </>
  )
}

const placeWords = (place: number): string => (place === 0 ? 'First' : `Place ${place + 1}`)

function DeleteSection({ environment: { id, key, name } }: { environment: Environment }) {
  const { project, params } = usePlace()
  const [isAsking, setIsAsking] = useState(false)
  const done = useDone()
  const navigate = useNavigate()
  const remove = async () => {
    await api.DELETE(path, { params: { path: { projectId: project.id, envId: id } } })
    await navigate({ to: '/$org/$project/environments', params })
    await done(`${name} deleted.`, ...read.slice(0, 2))
  }
  return (
    <Section
      title="Delete this environment"
      description="Its keys stop working at once, and its rules and revisions are gone."
      actions={
        <Button color="red" variant="outline" onClick={() => setIsAsking(true)}>
          Delete environment
        </Button>
      }
    >
      {isAsking && (
        <DangerDialog
          title={`Delete ${name}`}
          verb="Delete environment"
          typed={key}
          act={remove}
          onClose={() => setIsAsking(false)}
        >
          Programs and pages that use its SDK keys keep what they have and get no more changes. Its rules, revisions and
          schedules are gone. This cannot be undone.
        </DangerDialog>
      )}
    </Section>
  )
}
