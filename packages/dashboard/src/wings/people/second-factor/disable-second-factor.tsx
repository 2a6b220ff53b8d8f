import { Stack, Text } from '@mantine/core'
import { api } from '../../../api.ts'
import { useRefreshSession, useSession } from '../../../shell/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { PasswordField } from '../passwords/password-field.tsx'
import { CodeField } from './code-field.tsx'

/** Asks for the password, or for a code if there is none, so that an unlocked screen is not enough. */
export function DisableSecondFactor({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const refresh = useRefreshSession()
  const done = async () => {
    await refresh()
    onClose()
    announce('Second factor turned off.')
  }
  return (
    <Dialog onClose={onClose} title="Turn off the second factor?">
      <Stack gap="md">
        <Text size="sm">
          From then on, your password alone is enough to sign in, for you and for anyone who learns it.
        </Text>
        {user.hasPassword ? <ByPassword done={done} /> : <ByCode done={done} />}
      </Stack>
    </Dialog>
  )
}

function ByPassword({ done }: { done: () => Promise<void> }) {
  const form = useForm({
    initial: { password: '' },
    rules: { password: required('Enter your password.') },
    send: (body) => api.POST('/api/dashboard/me/second-factor/disable', { body }),
    done,
  })
  return (
    <ApiForm form={form} verb="Turn off" isDangerous>
      <PasswordField {...form.field('password')} label="Password" autoComplete="current-password" {...first} />
    </ApiForm>
  )
}

function ByCode({ done }: { done: () => Promise<void> }) {
  const form = useForm({
    initial: { code: '' },
    rules: { code: required('Enter the code from the app.') },
    send: ({ code }) =>
      api.POST('/api/dashboard/me/second-factor/disable', { body: { code: code.replaceAll(' ', '') } }),
    done,
  })
  return (
    <ApiForm form={form} verb="Turn off" isDangerous>
      <CodeField {...form.field('code')} {...first} />
    </ApiForm>
  )
}
