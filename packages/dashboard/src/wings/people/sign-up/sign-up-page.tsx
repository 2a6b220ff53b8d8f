import { Checkbox, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { enter } from '../../../shell/session.ts'
import { Door } from '../../../ui/door/door.tsx'
import { useLinkSecret } from '../../../ui/door/link-secret.ts'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { PasswordField, passwordAdvice } from '../passwords/password-field.tsx'
import type { LinkContent } from './link.ts'
import { LinkPage } from './link-page.tsx'

/** The first visit: the holder of the link from the log becomes the owner. */
export function SignUpPage() {
  const secret = useLinkSecret()
  return (
    <LinkPage
      kind="OWNER"
      secret={secret}
      title="Set up Svc"
      howToGetOne="The service prints a new link in its log at each start until there is an owner."
    >
      {(content) => <SignUp secret={secret ?? ''} content={content} />}
    </LinkPage>
  )
}

function SignUp({ secret, content }: { secret: string; content: LinkContent }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initial: {
      organizationName: '',
      name: '',
      email: content.email ?? '',
      password: '',
      // Ticked unless it would stop a program.
      revokeInitialToken: content.initialToken?.lastUsedAt === null,
    },
    rules: {
      organizationName: required('Enter a name for your organization.'),
      name: required('Enter your name.'),
      email: required('Enter your e-mail address.'),
      password: required('Choose a password.'),
    },
    send: async (values) => {
      const { data } = await api.POST('/api/dashboard/sign-up', { body: { link: secret, ...values } })
      return data!.data
    },
    done: (state) => {
      enter(client, state)
      return navigate({ to: '/', replace: true })
    },
  })
  return (
    <Door title="Set up Svc" description="You become the owner and can invite others.">
      <ApiForm form={form} verb="Create account" isWide>
        <TextInput
          {...form.field('organizationName')}
          label="Organization"
          description="Your company or team. You can change it later."
          autoComplete="organization"
          {...first}
        />
        <TextInput {...form.field('name')} label="Your name" autoComplete="name" />
        <TextInput {...form.field('email')} label="E-mail address" type="email" autoComplete="username" />
        <PasswordField
          {...form.field('password')}
          label="Password"
          description={passwordAdvice}
          autoComplete="new-password"
        />
        {content.initialToken && (
          <Checkbox
            label={`Revoke the token “${content.initialToken.name}”`}
            description={
              <>
                The first start of the service wrote it to a file. It can do everything.{' '}
                {content.initialToken.lastUsedAt ? (
                  <>
                    Programs that use it stop: it was last used <Time time={content.initialToken.lastUsedAt} />.
                  </>
                ) : (
                  'No program has used it yet.'
                )}
              </>
            }
            checked={form.values.revokeInitialToken}
            onChange={(event) => form.set('revokeInitialToken', event.currentTarget.checked)}
          />
        )}
      </ApiForm>
    </Door>
  )
}
