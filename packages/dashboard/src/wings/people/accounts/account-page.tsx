import { TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { useRefreshSession, useSession, useSessionState } from '../../../shell/session.ts'
import { announce } from '../../../ui/announce.tsx'
import { ApiForm, required, useForm } from '../../../ui/form.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { IdentitiesSection } from '../oidc/identities-section.tsx'
import { PasswordSection } from '../passwords/password-section.tsx'
import { SecondFactorSection } from '../second-factor/second-factor-section.tsx'
import { ChangeEmail } from './change-email.tsx'

/** A person's profile and the ways in which they sign in. */
export function AccountPage() {
  const { providers } = useSessionState()
  const { error } = useSearch({ from: '/inside/account/' })
  return (
    <Page title="Profile and security" description="Your own settings, in all your organizations.">
      <ProfileSection />
      <PasswordSection />
      <SecondFactorSection />
      {providers.length > 0 && <IdentitiesSection failure={error} />}
    </Page>
  )
}

function ProfileSection() {
  const { user } = useSession()
  const refresh = useRefreshSession()
  const form = useForm({
    initial: { name: user.name },
    rules: { name: required('Enter your name.') },
    send: (body) => api.PATCH('/api/dashboard/me', { body }),
    done: async () => {
      await refresh()
      announce('Name saved.')
    },
  })
  return (
    <Section title="Profile">
      <ApiForm form={form} verb="Save">
        <TextInput {...form.field('name')} label="Name" autoComplete="name" maw={420} />
        <TextInput
          label="E-mail address"
          description="You sign in with this address."
          value={user.email}
          readOnly
          autoComplete="username"
          maw={420}
        />
      </ApiForm>
      <ChangeEmail />
    </Section>
  )
}
