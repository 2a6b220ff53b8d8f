import { NativeSelect, TextInput } from '@mantine/core'
import type { Data } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { type Lifetime, lifetimes } from './lifetimes.ts'

export type CreatedToken = Data<'/api/dashboard/personal-tokens', 'post'>

interface CreatePersonalTokenProps {
  onClose: () => void
  onCreated: (token: CreatedToken) => void
}

export function CreatePersonalToken({ onClose, onCreated }: CreatePersonalTokenProps) {
  const client = useQueryClient()
  const form = useNewForm({
    object: 'new-personal-token',
    initial: { name: '', expiresIn: '90d' as Lifetime },
    rules: { name: required('Enter a name.') },
    send: async (body) => (await api.POST('/api/dashboard/personal-tokens', { body })).data!.data,
    done: async (token) => {
      await client.invalidateQueries({ queryKey: ['get', '/api/dashboard/personal-tokens'] })
      onCreated(token)
    },
  })
  return (
    <Dialog onClose={onClose} title="Create a personal token">
      <ApiForm form={form} verb="Create token">
        <TextInput
          {...form.field('name')}
          label="Name"
          description="For example the computer or the script that uses it."
          autoComplete="off"
          {...first}
        />
        <NativeSelect {...form.field('expiresIn')} label="Expires after" data={[...lifetimes]} maw={220} />
      </ApiForm>
    </Dialog>
  )
}
