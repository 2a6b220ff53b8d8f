import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useRefreshSession, useSession } from '../../../shell/session.ts'
import { ApiForm, required, useForm } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { PasswordField, passwordAdvice } from './password-field.tsx'

/** Changes the password, or sets the first one for a person who signs in with another service. */
export function PasswordSection() {
  const { user } = useSession()
  const client = useQueryClient()
  const refresh = useRefreshSession()
  const form = useForm({
    initial: { currentPassword: '', newPassword: '' },
    rules: {
      currentPassword: (value) => (user.hasPassword ? required('Enter your current password.')(value) : undefined),
      newPassword: required('Choose a password.'),
    },
    send: ({ currentPassword, newPassword }) =>
      api.POST('/api/dashboard/me/password', {
        body: { newPassword, ...(user.hasPassword && { currentPassword }) },
      }),
    done: async () => {
      form.reset()
      await Promise.all([refresh(), client.invalidateQueries({ queryKey: ['get', '/api/dashboard/sessions'] })])
      announce(user.hasPassword ? 'Password changed.' : 'Password set.')
    },
  })
  return (
    <Section
      title="Password"
      description={
        user.hasPassword
          ? 'Changing your password ends all your other sessions.'
          : 'You sign in with another service. With a password, you can also sign in without it.'
      }
    >
      <ApiForm form={form} verb={user.hasPassword ? 'Change password' : 'Set a password'}>
        {user.hasPassword && (
          <PasswordField
            {...form.field('currentPassword')}
            label="Current password"
            autoComplete="current-password"
            maw={420}
          />
        )}
        <PasswordField
          {...form.field('newPassword')}
          label="New password"
          description={passwordAdvice}
          autoComplete="new-password"
          maw={420}
        />
      </ApiForm>
    </Section>
  )
}
