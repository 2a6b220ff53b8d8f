import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { segmentOf } from '../../../shell/address.ts'
import { useOrgParams } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form.tsx'
import { useDone } from '../../../versioned.ts'

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
  const form = useForm({
    initial: { name: '' },
    rules: { name: required('Enter a name.') },
    send: async (body) => (await api.POST('/api/v1/projects', { body })).data!.data,
    done: async (project) => {
      await done(`${project.name} created.`, '/api/v1/projects')
      onClose()
      await navigate({ to: '/$org/$project', params: { org, project: segmentOf(project) } })
    },
  })
  return (
    <ApiForm form={form} verb="Create">
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example your application or website. The name can be changed later."
        autoComplete="off"
        {...first}
      />
    </ApiForm>
  )
}
