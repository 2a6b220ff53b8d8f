import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form.tsx'

export function CreateProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create a project">
      <ProjectForm onClose={onClose} />
    </Dialog>
  )
}

function ProjectForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: '' },
    rules: { name: required('Enter a name.') },
    send: async (body) => (await api.POST('/api/v1/projects', { body })).data!.data,
    done: async ({ id, name }) => {
      await client.invalidateQueries({ queryKey: ['get', '/api/v1/projects'] })
      onClose()
      announce(`${name} is created.`)
      await navigate({ to: '/projects/$projectId', params: { projectId: id } })
    },
  })
  return (
    <ApiForm form={form} verb="Create">
      <TextInput
        {...form.field('name')}
        label="Name"
        description="Such as the application or the website. It can be changed."
        autoComplete="off"
        {...first}
      />
    </ApiForm>
  )
}
