import { Button, Checkbox, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useIsDeleted } from '../../../shell/deleted.tsx'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { ListField } from '../../../ui/form/list-field.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { onlyIf, refresh, type Versioned, versioned } from '../../../versioned.ts'
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

/** A flag that another person has deleted cannot be archived or deleted again. */
const End = ({ flag }: { flag: Flag }) => !useIsDeleted() && <EndSection flag={flag} />

function EndSection({ flag }: { flag: Flag }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const { archive, restore, failure, isPending } = useArchiving(flag)
  const isArchived = flag.status === 'ARCHIVED'
  const running = flag.environments.filter(({ enabled }) => enabled && !isArchived)
  const mayDelete = isArchived || flag.status === 'DRAFT'
  return (
    <Section
      title="Archive and delete"
      description="An archived flag is removed from every data file and can be restored. A deleted flag is gone, with its rules."
    >
      <FailureNotice error={failure} />
      <Stack gap="sm" align="flex-start">
        {running.length > 0 && <PauseFirst flag={flag} running={running} />}
        {(running.length === 0 || mayDelete) && (
          <Group gap="xs">
            {isArchived ? (
              <Button loading={isPending} onClick={restore}>
                Restore
              </Button>
            ) : (
              running.length === 0 && (
                <Button variant="default" loading={isPending} onClick={archive}>
                  Archive
                </Button>
              )
            )}
            {mayDelete && (
              <Button variant="outline" color="red" onClick={() => setIsDeleting(true)}>
                Delete…
              </Button>
            )}
          </Group>
        )}
        {!mayDelete && (
          <Text size="sm" c="dimmed">
            You can delete it once it is archived.
          </Text>
        )}
      </Stack>
      {isDeleting && <DeleteFlag flag={flag} onClose={() => setIsDeleting(false)} />}
    </Section>
  )
}

/** The message of an archived flag can restore it. */
function useArchiving(flag: Flag) {
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setIsPending] = useState(false)
  const path = { projectId: flag.projectId, flagId: flag.id }
  const archive = async () => {
    await api.POST(`${flagPath}/archive`, { params: { path } })
    announce(`${flag.name} is archived.`, { undo: () => void act(restore) })
  }
  const restore = async () => {
    await api.POST(`${flagPath}/unarchive`, { params: { path } })
    announce(`${flag.name} is restored. It is paused in every environment.`)
  }
  const act = async (work: () => Promise<void>) => {
    setFailure(undefined)
    setIsPending(true)
    try {
      await work()
      await refreshFlag(client)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error)
    } finally {
      setIsPending(false)
    }
  }
  return { archive: () => void act(archive), restore: () => void act(restore), failure, isPending }
}

/** Where the flag still runs, with the way there. */
function PauseFirst({ flag, running }: { flag: Flag; running: Flag['environments'] }) {
  const { params, environments } = usePlace()
  return (
    <Text size="sm">
      Pause it first in{' '}
      {running.map(({ envId, name }, at) => (
        <span key={envId}>
          {at > 0 && (at === running.length - 1 ? ' and ' : ', ')}
          <TextLink
            to="/$org/$project/flags/$flag"
            params={{ ...params, flag: flag.key }}
            search={{ env: environments.find(({ id }) => id === envId)?.key ?? '' }}
            underline="always"
          >
            {name}
          </TextLink>
        </span>
      ))}
      .
    </Text>
  )
}

function DeleteFlag({ flag, onClose }: { flag: Flag; onClose: () => void }) {
  const { params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <DangerDialog
      title={`Delete ${flag.name}`}
      verb="Delete the flag"
      typed={flag.key}
      act={async () => {
        await api.DELETE(flagPath, { params: { path: { projectId: flag.projectId, flagId: flag.id } } })
        await navigate({ to: '/$org/$project/flags', params, search: {} })
        await refresh(client, '/api/v1/projects/{projectId}/index')
        announce(`${flag.name} is deleted.`)
      }}
      onClose={onClose}
    >
      The flag, its rules and its variations are gone in every environment. SDKs that still ask for it return the
      default in your code. This cannot be undone.
    </DangerDialog>
  )
}
