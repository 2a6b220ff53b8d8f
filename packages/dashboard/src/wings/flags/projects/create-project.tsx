import { Checkbox, Code, Radio, TextInput } from '@mantine/core'
import type { Data } from '@svc/client'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { segmentOf } from '../../../shell/address.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { useOrgParams } from '../../../shell/place.ts'
import { useOrganization } from '../../../shell/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'
import { createExampleFlag, exampleKey } from '../connect/example-flag.ts'

type ProjectType = Data<'/api/v1/projects', 'get'>[number]['type']

const projectKinds: { type: ProjectType; label: string; description: string }[] = [
  { type: 'FEATURE_FLAG', label: 'Feature flags', description: 'Your programs read flags. Experiments test flags.' },
  { type: 'WEB', label: 'Web experiments', description: 'Experiments test web pages. The project has no flags.' },
]

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
    initial: { name: '', type: 'FEATURE_FLAG' as ProjectType, hasExample: true },
    rules: { name: required('Enter a name.') },
    send: async ({ name, type, hasExample }) => {
      const project = (await api.POST('/api/v1/projects', { body: { name, type } })).data!.data
      // The project is there. Without the example, the page that follows offers to create it.
      if (hasExample && type === 'FEATURE_FLAG') await addExample(project.id).catch(() => undefined)
      return project
    },
    done: async (project) => {
      await done(`${project.name} created.`, '/api/v1/projects')
      onClose()
      const params = { org, project: segmentOf(project) }
      // A program is tried in Development first. A site has one tag, and its visitors are in Production.
      const env = project.type === 'WEB' ? 'production' : 'development'
      await navigate({ to: '/$org/$project/connect', params, search: { env } })
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
      <Choices legend="What it tests" description="This is fixed once the project is created.">
        {projectKinds.map(({ type, label, description }) => (
          <Radio
            key={type}
            name="type"
            value={type}
            label={label}
            description={description}
            checked={form.values.type === type}
            onChange={() => form.set('type', type)}
          />
        ))}
      </Choices>
      {form.values.type === 'FEATURE_FLAG' && (
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
      )}
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
