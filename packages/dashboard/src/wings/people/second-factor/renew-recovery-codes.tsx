import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { CodeField } from './code-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export function RenewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>()
  const isShown = codes !== undefined
  const form = useForm({
    initial: { code: '' },
    rules: { code: required('Enter the code from the app.') },
    send: async ({ code }) => {
      const body = { code: code.replaceAll(' ', '') }
      return (await api.POST('/api/dashboard/me/second-factor/recovery-codes', { body })).data!.data
    },
    done: ({ recoveryCodes }) => setCodes(recoveryCodes),
  })
  return (
    <Dialog onClose={onClose} title="New recovery codes" isFirm={isShown}>
      {isShown ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <Stack gap="md">
          <Text size="sm">You get ten new codes. Your old codes stop working.</Text>
          <ApiForm form={form} verb="Create new codes">
            <CodeField {...form.field('code')} {...first} />
          </ApiForm>
        </Stack>
      )}
    </Dialog>
  )
}
