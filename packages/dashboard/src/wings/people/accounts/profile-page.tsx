import { TextInput } from '@mantine/core'
import { api } from '../../../api.ts'
import { useRefreshSession, useSession } from '../../../shell/session.ts'
import { ApiForm, required, useForm } from '../../../ui/form/form.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { ChangeEmail } from './change-email.tsx'

/** Who a person is in all organizations: name and address. */
export function ProfilePage() {
  return (
    <Page title="Profile" description="Your name and address, in all your organizations.">
      <ProfileSection />
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
    <Section title="Name and address">
      <ApiForm form={form} verb="Save name">
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
