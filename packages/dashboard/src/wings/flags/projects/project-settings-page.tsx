import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { useOrgParams, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { withArticle } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { SampleSection } from './sample-section.tsx'
import { SettingsTabs } from './settings-tabs.tsx'

const path = '/api/v1/projects/{projectId}'

/** The name and the key of a project, its sample of visitors, and how to delete it. */
export function ProjectSettingsPage() {
  const { project } = usePlace()
  const mayEdit = useMay('projects:write')
  const query = useQuery({
    queryKey: ['get', path, 'to edit', project.id],
    queryFn: () => readProject(project.id),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Page title="Project settings" description={`The settings of ${project.name}.`}>
      <SettingsTabs />
      <People />
      {mayEdit ? (
        <>
          <Loaded query={query}>
            {(version) => (
              <Fragment key={version.content.id}>
                <NameSection version={version} />
                <SampleSection version={version} read={() => readProject(version.content.id)} />
              </Fragment>
            )}
          </Loaded>
          <DeleteSection />
        </>
      ) : (
        <OnlyFor>You can look at this project. Admins can rename and delete it.</OnlyFor>
      )}
    </Page>
  )
}

/** People look for them here first, but they belong to the organization. */
function People() {
  const params = useOrgParams()
  const { project } = usePlace()
  return (
    <Text size="sm" mb="md">
      Who can see and change {project.name} is in{' '}
      <TextLink to="/$org/settings/members" params={params} underline="always">
        the members of the organization
      </TextLink>
      .
    </Text>
  )
}

const readProject = async (projectId: string) => versioned(await api.GET(path, { params: { path: { projectId } } }))

type Version = Versioned<{ id: string; shortId: number; name: string; key: string }>

const valuesOf = ({ content: { name, key }, etag }: Version) => ({ content: { name, key }, etag })

function NameSection({ version }: { version: Version }) {
  const { content } = version
  const { project } = usePlace()
  const done = useDone()
  const { one, many } = useSubject()
  const { data: index } = useProjectIndex()
  const isFixed = ((project.type === 'WEB' ? index?.experiments : index?.flags)?.length ?? 0) > 0
  const changed = useChangedBy('project', content.id)
  const { form, dialog } = useEditForm({
    object: `project:${content.id}`,
    base: valuesOf(version),
    rules: { name: required('Enter a name.'), key: required('Enter a key.') },
    read: async () => valuesOf(await readProject(content.id)),
    write: (body, etag) => api.PATCH(path, { params: { path: { projectId: content.id }, header: onlyIf(etag) }, body }),
    done: (_answer, { name }) => done(`${name} saved.`, '/api/v1/projects', path),
    changed,
    labels: { name: 'The name', key: 'The key' },
  })
  return (
    <Section title="Name and key" description={`In the API, this is project number ${content.shortId}.`}>
      <ApiForm form={form} verb="Save project">
        <Stack gap="md" maw={480}>
          <TextInput {...form.field('name')} label="Name" autoComplete="off" />
          <TextInput
            {...form.field('key')}
            label="Key"
            readOnly={isFixed}
            description={
              isFixed
                ? `Used in addresses of the API. It is fixed, because the project has ${many}.`
                : `Used in addresses of the API. You can change it until the project has ${withArticle(one)}.`
            }
            autoComplete="off"
            spellCheck={false}
          />
        </Stack>
      </ApiForm>
      {dialog}
    </Section>
  )
}

function DeleteSection() {
  const { project, params } = usePlace()
  const { one, many } = useSubject()
  const [isAsking, setIsAsking] = useState(false)
  const done = useDone()
  const navigate = useNavigate()
  const remove = async () => {
    await api.DELETE(path, {
      params: { path: { projectId: project.id }, header: { 'x-svc-confirm': project.key } },
    })
    await navigate({ to: '/$org', params: { org: params.org } })
    await done(`${project.name} deleted.`, '/api/v1/projects')
  }
  return (
    <Section
      title="Delete this project"
      description={`Its ${many}, environments, audiences, webhooks and history are deleted too. Pause every ${one} first.`}
      actions={
        <Button color="red" variant="outline" onClick={() => setIsAsking(true)}>
          Delete project
        </Button>
      }
    >
      {isAsking && (
        <DangerDialog
          title={`Delete ${project.name}`}
          verb="Delete project"
          typed={project.key}
          act={remove}
          onClose={() => setIsAsking(false)}
        >
          Everything in {project.name} is gone, and its SDK keys and webhooks stop working at once. This cannot be
          undone.
        </DangerDialog>
      )}
    </Section>
  )
}
