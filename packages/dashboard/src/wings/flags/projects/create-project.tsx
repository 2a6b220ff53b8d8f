import { Checkbox, Code, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { segmentOf } from '../../../shell/address.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { useOrgParams } from '../../../shell/place.ts'
import { useOrganization } from '../../../shell/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'
import { createExampleFlag, exampleKey } from '../connect/example-flag.ts'

export function CreateProject({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Create a project">
      <ProjectForm onClose={onClose} />
    </Dialog>
  )
}

function ProjectForm({ onClose }: { onClose: () => void }) {
  const done = useDone()
  const navigate = useNavigate()
  const { org } = useOrgParams()
  const organization = useOrganization()
  const form = useNewForm({
    object: `new-project:${organization?.id ?? ''}`,
    initial: { name: '', hasExample: true },
    rules: { name: required('Enter a name.') },
    send: async ({ name, hasExample }) => {
      const project = (await api.POST('/api/v1/projects', { body: { name } })).data!.data
      // The project is there. Without the example, the page that follows offers to create it.
      if (hasExample) await addExample(project.id).catch(() => undefined)
      return project
    },
    done: async (project) => {
      await done(`${project.name} created.`, '/api/v1/projects')
      onClose()
      await navigate({
        to: '/$org/$project/connect',
        params: { org, project: segmentOf(project) },
        search: { env: 'development' },
      })
    },
  })
  return (
    <ApiForm form={form} verb="Create project">
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example your application or website. The name can be changed later."
        autoComplete="off"
        {...first}
      />
      <Checkbox
        checked={form.values.hasExample}
        onChange={({ currentTarget: { checked } }) => form.set('hasExample', checked)}
        label={
          <>
            With an example flag <Code>{exampleKey}</Code>
          </>
        }
        description="To try the connection of your program. It can be deleted at any time."
      />
    </ApiForm>
  )
}

async function addExample(projectId: string): Promise<void> {
  const { data } = await api.GET('/api/v1/projects/{projectId}/environments', { params: { path: { projectId } } })
  await createExampleFlag(
    projectId,
    data!.data.map(({ id }) => id),
  )
}
