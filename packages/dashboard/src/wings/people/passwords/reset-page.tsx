import { Alert, Checkbox, Text, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api.ts'
import { sessionOptions, useSessionState } from '../../../shell/session.ts'
import { Door } from '../../../ui/door/door.tsx'
import { useLinkSecret } from '../../../ui/door/link-secret.ts'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import type { LinkContent } from '../sign-up/link.ts'
import { LinkPage } from '../sign-up/link-page.tsx'
import { PasswordField, passwordAdvice } from './password-field.tsx'

/** Requests a reset link, or takes the new password if opened with one. */
export function ResetPage() {
  const secret = useLinkSecret()
  const { mail } = useSessionState()
  if (secret === undefined) return mail ? <RequestReset /> : <NoMail />
  return (
    <LinkPage
      kind="PASSWORD_RESET"
      secret={secret}
      title="New password"
      howToGetOne="Request another link on the sign-in page, or ask an administrator of your organization."
    >
      {(content) => <CompleteReset secret={secret} content={content} />}
    </LinkPage>
  )
}

const toSignIn = <TextLink to="/sign-in">Go to the sign-in page</TextLink>

function NoMail() {
  return (
    <Door title="Forgot your password?" footer={toSignIn}>
      <Text size="sm">
        This service sends no mail. Ask an administrator of your organization for a password reset link.
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
      <Door title="Check your mail" footer={toSignIn}>
        <Done>
          If there is an account for {sentTo}, a link is on its way. It works once, within an hour. If nothing arrives,
          check your spam folder.
        </Done>
      </Door>
    )
  return (
    <Door
      title="Forgot your password?"
      description="Enter your address. We send you a link for choosing a new password."
      footer={toSignIn}
    >
      <ApiForm form={form} verb="Send link" isWide>
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
      // Every session of the account has ended, possibly this one too.
      return client.invalidateQueries({ queryKey: sessionOptions.queryKey })
    },
  })
  if (isDone)
    return (
      <Door title="Password changed" footer={toSignIn}>
        <Done>
          You are signed out everywhere. Sign in with the new password.
          {personalTokens.length > 0 &&
            (revokeTokens ? ' Your personal tokens were revoked.' : ' Your personal tokens still work.')}
        </Done>
      </Door>
    )
  return (
    <Door title="New password" description="You will be signed out everywhere else.">
      <ApiForm form={form} verb="Set password" isWide>
        {/* Tells password managers which account the password belongs to. */}
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
            description={`${personalTokens.map(({ name }) => name).join(', ')}. Otherwise they keep working. Revoke them if someone else may know your password.`}
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
