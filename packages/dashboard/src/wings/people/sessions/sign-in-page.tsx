import { Alert, Divider, Stack, Text, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../../../api.ts'
import { enter, useSessionState } from '../../../shell/session.ts'
import { Door } from '../../../ui/door/door.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { ProviderButtons } from '../oidc/provider-buttons.tsx'
import { providerFailure } from '../oidc/provider-failure.ts'
import { PasswordField } from '../passwords/password-field.tsx'
import { SecondFactorStep } from '../second-factor/second-factor-step.tsx'
import { safeReturnTo } from './return-to.ts'

/** Signs in, then opens the page that the person wanted. */
export function SignInPage() {
  const { returnTo, error } = useSearch({ from: '/sign-in' })
  const { stage, setup, providers, mail } = useSessionState()
  const target = safeReturnTo(returnTo)
  useLeaveWhenIn(stage === 'SIGNED_IN', target)
  if (stage === 'SIGNED_IN') return null
  if (stage === 'SECOND_FACTOR') return <SecondFactorStep />
  return (
    <Door title="Sign in" footer={<TextLink to="/reset">Forgot your password?</TextLink>}>
      {setup && <SetupNotice />}
      {error !== undefined && <FailureNotice error={error} title="Not signed in" messages={[providerFailure(error)]} />}
      <PasswordSignIn />
      {providers.length > 0 && (
        <Stack gap="md">
          <Divider label="or" />
          <ProviderButtons providers={providers} verb="Sign in with" returnTo={target} />
        </Stack>
      )}
      {!mail && (
        <Text size="xs" c="dimmed">
          No account yet? An administrator of your organization can invite you.
        </Text>
      )}
    </Door>
  )
}

function PasswordSignIn() {
  const client = useQueryClient()
  const form = useForm({
    initial: { email: '', password: '' },
    rules: { email: required('Enter your e-mail address.'), password: required('Enter your password.') },
    send: async (body) => (await api.POST('/api/dashboard/sign-in', { body })).data!.data,
    done: (state) => enter(client, state),
  })
  return (
    <ApiForm form={form} verb="Sign in" isWide>
      <TextInput {...form.field('email')} label="E-mail address" type="email" autoComplete="username" {...first} />
      <PasswordField {...form.field('password')} label="Password" autoComplete="current-password" />
    </ApiForm>
  )
}

function SetupNotice() {
  return (
    <Alert icon={<IconInfoCircle aria-hidden />} title="This service has no owner yet" variant="outline">
      <Text size="sm">
        Open the owner link. The service prints it in its log at each start until there is an owner.
      </Text>
    </Alert>
  )
}

/** Leaves the page if the person is already signed in. */
function useLeaveWhenIn(isIn: boolean, target: string): void {
  const { history } = useRouter()
  useEffect(() => {
    if (isIn) history.replace(target)
  }, [isIn, target, history])
}
