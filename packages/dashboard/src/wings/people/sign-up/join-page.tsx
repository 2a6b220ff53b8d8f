import { Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { chooseOrganization } from '../../../api/chosen-organization.ts'
import { api } from '../../../api.ts'
import { enter, type Session, type SessionState, useSessionState } from '../../../shell/session.ts'
import { useSignOut } from '../../../shell/sign-out.ts'
import { Door } from '../../../ui/door/door.tsx'
import { useLinkSecret } from '../../../ui/door/link-secret.ts'
import { ApiForm, first, required, useForm } from '../../../ui/form/form.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { ProviderButtons } from '../oidc/provider-buttons.tsx'
import { PasswordField, passwordAdvice } from '../passwords/password-field.tsx'
import { forgetLink, keepLink, keptLink, type LinkContent } from './link.ts'
import { LinkPage } from './link-page.tsx'

/** Accepts an invitation, with a new account or an existing one. */
export function JoinPage() {
  const secret = useLinkSecret() ?? keptLink()
  return (
    <LinkPage
      kind="INVITATION"
      secret={secret}
      title="Invitation"
      howToGetOne="Ask the person who invited you to send the invitation again."
    >
      {(content) => <Join secret={secret ?? ''} content={content} />}
    </LinkPage>
  )
}

function Join({ secret, content }: { secret: string; content: LinkContent }) {
  const { session } = useSessionState()
  const isSame = session?.user.email.toLowerCase() === content.email?.toLowerCase()
  if (session && isSame) return <JoinAsMyself secret={secret} content={content} session={session} />
  if (session) return <AnotherPerson content={content} session={session} />
  if (content.hasAccount) return <SignInFirst secret={secret} content={content} />
  return <CreateAccount secret={secret} content={content} />
}

function Invitation({ content, children }: { content: LinkContent; children: ReactNode }) {
  const organization = content.organization?.name ?? 'an organization'
  return (
    <Door
      title={`Join ${organization}`}
      description={content.invitedBy && `${content.invitedBy} invited you to work together in Svc.`}
    >
      {children}
    </Door>
  )
}

function useJoined({ organization }: LinkContent) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (state: SessionState) => {
    forgetLink()
    // Open the new organization, whichever one this browser showed before.
    if (organization && state.session) chooseOrganization(state.session.user.id, organization.id)
    enter(client, state)
    return navigate({ to: '/', replace: true })
  }
}

function CreateAccount({ secret, content }: { secret: string; content: LinkContent }) {
  const { providers } = useSessionState()
  const joined = useJoined(content)
  const form = useForm({
    initial: { name: '', password: '' },
    rules: { name: required('Enter your name.'), password: required('Choose a password.') },
    send: async (values) => {
      const { data } = await api.POST('/api/dashboard/invitations/accept', { body: { link: secret, ...values } })
      return data!.data
    },
    done: joined,
  })
  return (
    <Invitation content={content}>
      <ApiForm form={form} verb="Create account and join" isWide>
        <TextInput label="Account" value={content.email ?? ''} readOnly autoComplete="username" />
        <TextInput {...form.field('name')} label="Your name" autoComplete="name" {...first} />
        <PasswordField
          {...form.field('password')}
          label="Password"
          description={passwordAdvice}
          autoComplete="new-password"
        />
      </ApiForm>
      {providers.length > 0 && (
        <Stack gap="md">
          <Divider label="or" />
          <ProviderButtons providers={providers} verb="Join with" returnTo="/" link={secret} />
        </Stack>
      )}
    </Invitation>
  )
}

function JoinAsMyself({ secret, content, session }: { secret: string; content: LinkContent; session: Session }) {
  const joined = useJoined(content)
  const joining = useMutation({
    mutationFn: async () =>
      (await api.POST('/api/dashboard/invitations/accept', { body: { link: secret } })).data!.data,
    onSuccess: joined,
  })
  return (
    <Invitation content={content}>
      <Text size="sm">You join as {session.user.name}. Your other organizations stay as they are.</Text>
      <FailureNotice error={joining.error} />
      <Button onClick={() => joining.mutate()} loading={joining.isPending}>
        Join
      </Button>
    </Invitation>
  )
}

function SignInFirst({ secret, content }: { secret: string; content: LinkContent }) {
  useEffect(() => keepLink(secret), [secret])
  return (
    <Invitation content={content}>
      <Text size="sm">There is already an account for {content.email}. Sign in with it to accept the invitation.</Text>
      <ButtonLink to="/sign-in" search={{ returnTo: '/join' }}>
        Sign in
      </ButtonLink>
    </Invitation>
  )
}

function AnotherPerson({ content, session }: { content: LinkContent; session: Session }) {
  const signOut = useSignOut()
  return (
    <Invitation content={content}>
      <Text size="sm">
        This invitation is for {content.email}, but you are signed in as {session.user.email}. Sign out, then open the
        link again.
      </Text>
      <Button onClick={() => void signOut()}>Sign out</Button>
      <TextLink to="/" size="sm" ta="center">
        Stay signed in
      </TextLink>
    </Invitation>
  )
}
