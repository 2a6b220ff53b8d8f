import { Checkbox, Code, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { ListField } from '../../../ui/form/list-field.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { onlyIf, type Versioned, versioned } from '../../../versioned.ts'
import { End } from '../archiving/end-section.tsx'
import { VariationsSection } from '../variations/variations-section.tsx'
import { FlagFrame } from './flag-frame.tsx'
import { type Flag, refreshFlag } from './flag-queries.ts'
import { OwnerField } from './owner-field.tsx'

/** What is the same in every environment: name, key, variations, and the end of a flag. */
export function FlagSettingsPage() {
  const mayEdit = useMay('flags:write')
  return (
    <FlagFrame>
      {(flag) =>
        mayEdit ? (
          <>
            <GeneralSection key={`general ${flag.content.id}`} flag={flag} />
            <VariationsSection key={`variations ${flag.content.id}`} flag={flag} />
            <End flag={flag.content} />
          </>
        ) : (
          <>
            <OnlyFor>You can look at this flag. Editors and admins can change it.</OnlyFor>
            <Section title="Variations">
              {flag.content.variations.map(({ id, name, key, value }) => (
                <Text size="sm" key={id}>
                  {name} ({key}): <Code>{value === '' ? 'empty' : value}</Code>
                </Text>
              ))}
            </Section>
          </>
        )
      }
    </FlagFrame>
  )
}

type Values = ReturnType<typeof valuesOf>['content']

function GeneralSection({ flag }: { flag: Versioned<Flag> }) {
  const { content } = flag
  const { form, dialog } = useGeneralForm(flag)
  return (
    <Section title="General">
      <ApiForm form={form} verb="Save flag">
        <TextInput {...form.field('name')} label="Name" autoComplete="off" />
        <TextInput
          {...form.field('key')}
          label="Key"
          readOnly={isKeyFixed(content)}
          description={
            isKeyFixed(content)
              ? 'What your code asks for. It is fixed, because the flag has run.'
              : 'What your code asks for. You can change it until the flag has run for the first time.'
          }
          autoComplete="off"
          spellCheck={false}
        />
        <Textarea {...form.field('description')} label="Description" autosize minRows={2} />
        <OwnerField {...form.field('owner')} owner={content.owner} />
        <div>
          <Text size="sm" fw={600}>
            Tags
          </Text>
          <ListField
            label="Tags"
            values={form.values.tags}
            onChange={(tags) => form.set('tags', tags)}
            isInvalid={form.error('tags') !== undefined}
          />
        </div>
        <Checkbox
          label="Keep this flag for good"
          description="It is then never reported as stale."
          checked={form.values.permanent}
          onChange={(event) => form.set('permanent', event.currentTarget.checked)}
        />
      </ApiForm>
      {dialog}
    </Section>
  )
}

/** The key is in the address of the page, which follows a new one. */
function useGeneralForm(flag: Versioned<Flag>) {
  const { content } = flag
  const { params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const changed = useChangedBy('flag', content.id)
  const path = { projectId: content.projectId, flagId: content.id }
  const { form, dialog, begin } = useEditForm<Values, Versioned<Flag>>({
    object: `flag-settings:${content.id}`,
    base: valuesOf(flag),
    rules: { name: required('Enter a name.'), key: required('Enter a key.') },
    read: async () => valuesOf(versioned(await api.GET(flagPath, { params: { path } }))),
    write: async ({ name, key, description, tags, owner, permanent }, etag, before) =>
      versioned(
        await api.PATCH(flagPath, {
          params: { path, header: onlyIf(etag) },
          body: {
            name,
            description: description.trim() || null,
            tags,
            permanent,
            ...(key !== before.key && { key }),
            // One who has left can stay the owner, but not become it.
            ...(owner !== before.owner && { owner: owner || null }),
          },
        }),
      ),
    done: async (saved) => {
      begin(valuesOf(saved))
      if (saved.content.key !== content.key)
        await navigate({
          to: '/$org/$project/flags/$flag/settings',
          params: { ...params, flag: saved.content.key },
          replace: true,
        })
      await refreshFlag(client)
      announce('Saved.')
    },
    changed,
    labels: {
      name: 'The name',
      key: 'The key',
      description: 'The description',
      tags: 'The list of tags',
      owner: 'The owner',
      permanent: '“Keep this flag for good”',
    },
  })
  return { form, dialog }
}

/** A flag that runs was published. One that never ran can be paused too: it was archived before. */
const isKeyFixed = ({ status, environments }: Flag): boolean =>
  status === 'RUNNING' ||
  (status === 'PAUSED' && environments.some(({ lastPublishedRevision }) => lastPublishedRevision !== null))

const valuesOf = ({ content: { name, key, description, tags, owner, permanent }, etag }: Versioned<Flag>) => ({
  content: { name, key, description: description ?? '', tags, owner: owner?.email ?? '', permanent },
  etag,
})

const flagPath = '/api/v1/projects/{projectId}/flags/{flagId}'
