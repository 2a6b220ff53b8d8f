import { Alert, Checkbox, Text, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api.ts'
import { Door } from '../../../ui/door.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { sessionOptions, useSessionState } from '../sessions/session.ts'
import { type LinkContent, useLinkSecret } from '../sign-up/link.ts'
import { LinkPage } from '../sign-up/link-page.tsx'
import { PasswordField, passwordAdvice } from './password-field.tsx'

/** Without a link: asks for one. With one: takes the new password. */
export function ResetPage() {
  const secret = useLinkSecret()
  const { mail } = useSessionState()
  if (secret === undefined) return mail ? <RequestReset /> : <NoMail />
  return (
    <LinkPage
      kind="PASSWORD_RESET"
      secret={secret}
      title="New password"
      howToGetOne="Ask for another one from the sign-in page, or somebody who administers your organization."
    >
      {(content) => <CompleteReset secret={secret} content={content} />}
    </LinkPage>
  )
}

const toSignIn = <TextLink to="/sign-in">Go to the sign-in page</TextLink>

function NoMail() {
  return (
    <Door title="Forgot the password?" footer={toSignIn}>
      <Text size="sm">
        This service sends no mail. Ask somebody who administers your organization: they can make a link for you, with
        which you choose a new password.
      </Text>
    </Door>
  )
}

function RequestReset() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    initial: { email: '' },
    rules: { email: required('Enter your e-mail address.') },
    send: (body) => api.POST('/api/dashboard/password-reset', { body }),
    done: (_answer, { email }) => setSentTo(email),
  })
  if (sentTo !== undefined)
    return (
      <Door title="Look into your mail" footer={toSignIn}>
        <Done>
          If there is an account for {sentTo}, a link is on its way. It works once, for an hour. Nothing there? Look
          among the unwanted mail.
        </Done>
      </Door>
    )
  return (
    <Door
      title="Forgot the password?"
      description="We send a link to your address, with which you choose a new one."
      footer={toSignIn}
    >
      <ApiForm form={form} verb="Send the link" isWide>
        <TextInput {...form.field('email')} label="E-mail address" type="email" autoComplete="username" {...first} />
      </ApiForm>
    </Door>
  )
}

function CompleteReset({ secret, content: { email, personalTokens } }: { secret: string; content: LinkContent }) {
  const client = useQueryClient()
  const [isDone, setIsDone] = useState(false)
  const [revokeTokens, setRevokeTokens] = useState(false)
  const form = useForm({
    initial: { password: '' },
    rules: { password: required('Choose a password.') },
    send: ({ password }) =>
      api.POST('/api/dashboard/password-reset/complete', { body: { link: secret, password, revokeTokens } }),
    done: () => {
      setIsDone(true)
      // Every session of the account has ended, perhaps this browser's as well.
      return client.invalidateQueries({ queryKey: sessionOptions.queryKey })
    },
  })
  if (isDone)
    return (
      <Door title="The password is changed" footer={toSignIn}>
        <Done>
          You are signed out everywhere. Sign in with the new password.
          {personalTokens.length > 0 &&
            (revokeTokens ? ' Your personal tokens are revoked.' : ' Your personal tokens still work.')}
        </Done>
      </Door>
    )
  return (
    <Door title="New password" description="You will be signed out everywhere else.">
      <ApiForm form={form} verb="Set the password" isWide>
        {/* So that password managers know whose password it is. */}
        <TextInput label="Account" value={email ?? ''} readOnly autoComplete="username" />
        <PasswordField
          {...form.field('password')}
          label="New password"
          description={passwordAdvice}
          autoComplete="new-password"
          {...first}
        />
        {personalTokens.length > 0 && (
          <Checkbox
            checked={revokeTokens}
            onChange={({ currentTarget }) => setRevokeTokens(currentTarget.checked)}
            label={`Revoke my ${personalTokens.length === 1 ? 'personal token' : `${personalTokens.length} personal tokens`}`}
            description={`${personalTokens.map(({ name }) => name).join(', ')}. Otherwise they keep working: revoke them if somebody else may know your password.`}
          />
        )}
      </ApiForm>
    </Door>
  )
}

function Done({ children }: { children: ReactNode }) {
  return (
    <Alert role="status" variant="outline" color="teal" icon={<IconCircleCheck aria-hidden />}>
      {children}
    </Alert>
  )
}
