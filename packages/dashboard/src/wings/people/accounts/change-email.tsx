import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useSession } from '../../../shell/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { PasswordField } from '../passwords/password-field.tsx'
import { CodeField } from '../second-factor/code-field.tsx'

/** Asks for a new address. It is used once the link in the mail to it has been opened. */
export function ChangeEmail() {
  const { user } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  if (!user.hasPassword && !user.secondFactor)
    return <Text size="sm">To change the address, set a password first.</Text>
  return (
    <>
      <Group>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          Change e-mail address
        </Button>
      </Group>
      {isOpen && <ChangeEmailDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const form = useForm({
    initial: { email: '', currentPassword: '', code: '' },
    rules: {
      email: required('Enter the new address.'),
      currentPassword: (value) => (user.hasPassword ? required('Enter your password.')(value) : undefined),
      code: (value) => (user.hasPassword ? undefined : required('Enter the code from the app.')(value)),
    },
    send: ({ email, currentPassword, code }) =>
      api.POST('/api/dashboard/me/email', {
        body: user.hasPassword ? { email, currentPassword } : { email, code: code.replaceAll(' ', '') },
      }),
    done: (_answer, { email }) => {
      onClose()
      announce(`Open the link that was sent to ${email}. Until then, your address stays the same.`)
    },
  })
  return (
    <Dialog onClose={onClose} title="Change e-mail address">
      <Stack gap="md">
        <Text size="sm">The new address gets a link that works once, for a day. {user.email} gets a notice.</Text>
        <ApiForm form={form} verb="Send link">
          <TextInput {...form.field('email')} label="New e-mail address" type="email" autoComplete="off" {...first} />
          {user.hasPassword ? (
            <PasswordField {...form.field('currentPassword')} label="Password" autoComplete="current-password" />
          ) : (
            <CodeField {...form.field('code')} />
          )}
        </ApiForm>
      </Stack>
    </Dialog>
  )
}
